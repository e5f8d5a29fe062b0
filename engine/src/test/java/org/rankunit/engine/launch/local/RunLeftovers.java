package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.DeviceStatus;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.inventory.Inventory;
import org.slf4j.LoggerFactory;

/** Looks for what runs might leave behind: processes, session folders, leases. */
public final class RunLeftovers implements AutoCloseable {

    /** Longer than a probe may take. */
    private static final long PROBE_MILLIS = 60_000;

    private final Path folder;
    private final String usualTemporaryFolder = System.getProperty("java.io.tmpdir");

    private final List<String> sharedBefore;

    private RunLeftovers(Path folder) throws IOException {
        sharedBefore = namesInSharedMemory().toList();
        this.folder = folder;
        System.setProperty("java.io.tmpdir", folder.toString());
    }

    /** Let the runs from here on have their sessions in this folder, and their pool in {@code pool} below it. */
    public static RunLeftovers watch(Path folder) throws IOException {
        return new RunLeftovers(folder);
    }

    /** Processes below this one that still live. */
    public List<ProcessHandle> processes() {
        return ProcessHandle.current().descendants().toList();
    }

    /** Sessions that were not cleaned away. */
    public List<Path> sessions() throws IOException {
        try (Stream<Path> sessions =
                Files.list(folder.resolve("rankunit-" + System.getProperty("user.name") + "-sessions"))) {
            return sessions.toList();
        }
    }

    /** Everything that is left, each with its kind; empty if there is nothing. */
    public List<String> all(int devices) throws IOException {
        List<String> all = new ArrayList<>();
        processes().forEach(process -> all.add("process " + process.pid() + " " + process.info()));
        sessions().forEach(session -> all.add("session folder " + session));
        devicesInUse(devices).forEach(device -> all.add("device " + device));
        namesInSharedMemory().filter(name -> !sharedBefore.contains(name)).forEach(all::add);
        try (Stream<String> sockets = Files.lines(Path.of("/proc/net/unix"))) {
            sockets.filter(line -> line.contains(folder.toString())).forEach(line -> all.add("socket " + line));
        }
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .forEach(process -> addUses(process, all));
        }
        return all;
    }

    /** Whatever a process of anybody has to do with the folder: who holds a lock has its file open. */
    private void addUses(Path process, List<String> all) {
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            String command = Files.readString(process.resolve("cmdline")).replace('\0', ' ');
            boolean isOwn =
                    process.endsWith(Long.toString(ProcessHandle.current().pid()));
            if (command.contains(folder.toString())) {
                all.add("process " + process + " " + command);
            }
            for (Path file : files.toList()) {
                String target = Files.readSymbolicLink(file).toString();
                // To close the file of a lock would drop all locks that this process has on it, so they stay open here.
                if (target.startsWith(folder.toString()) && !(isOwn && isOfLocks(target))) {
                    all.add("open file " + target + " of " + process + " " + command);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            gone(process, e);
        }
    }

    private static boolean isOfLocks(String file) {
        return file.endsWith(".lock") || file.endsWith("/queue");
    }

    /** A process that ends while it is looked at, or is somebody else's, has nothing of ours. */
    private static void gone(Path process, Exception why) {
        LoggerFactory.getLogger(RunLeftovers.class).trace("{} cannot be looked at", process, why);
    }

    private static Stream<String> namesInSharedMemory() throws IOException {
        try (Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            return shared.map(Path::toString).filter(name -> name.contains("rankunit")).toList().stream();
        }
    }

    /** Whether a process lives, and does not only wait for its parent to hear of its end. */
    public static boolean isAlive(long pid) {
        return ProcessStat.of(pid).filter(stat -> !stat.hasEnded()).isPresent();
    }

    /** What is held against devices of the simulator. */
    public List<String> suspicions(int devices) {
        return status(devices)
                .filter(status -> !(status.health() instanceof DeviceHealth.Sound))
                .map(status -> "device " + status.device() + ": " + reason(status.health()))
                .toList();
    }

    private static String reason(DeviceHealth health) {
        return health instanceof DeviceHealth.Suspect suspect ? suspect.reason() : health.toString();
    }

    /** Devices of the simulator that are not free. Probes of suspect ones are awaited: they end by themselves. */
    public List<DeviceStatus> devicesInUse(int devices) {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rankunit-probe-"))
                .forEach(RunLeftovers::awaitEnd);
        return status(devices)
                .filter(status -> status.state() != DeviceState.FREE)
                .toList();
    }

    private static void awaitEnd(Thread probe) {
        try {
            probe.join(PROBE_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while " + probe.getName() + " went on", e);
        }
    }

    private Stream<DeviceStatus> status(int devices) {
        return DevicePool.open(
                PoolConfig.defaults().in(folder.resolve("pool")).with(Inventory.ofFirst(devices, "a2a3sim")))
                .status("a2a3sim")
                .stream();
    }

    @Override
    public void close() {
        System.setProperty("java.io.tmpdir", usualTemporaryFolder);
    }
}
