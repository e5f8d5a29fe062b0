package org.rankunit.engine.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.DeviceStatus;
import org.rankunit.pool.Inventory;
import org.rankunit.pool.PoolConfig;

/** Looks for what runs might leave behind: processes, session folders, leases. */
public final class RunLeftovers implements AutoCloseable {

    private final Path folder;
    private final String usualTemporaryFolder = System.getProperty("java.io.tmpdir");

    private RunLeftovers(Path folder) {
        this.folder = folder;
        System.setProperty("java.io.tmpdir", folder.toString());
    }

    /** Let the runs from here on have their sessions in this folder, and their pool in {@code pool} below it. */
    public static RunLeftovers watch(Path folder) {
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

    /** Devices of the simulator that are not free. */
    public List<DeviceStatus> devicesInUse(int devices) {
        return DevicePool.open(
                        PoolConfig.defaults().in(folder.resolve("pool")).with(Inventory.ofFirst(devices, "a2a3sim")))
                .status("a2a3sim")
                .stream()
                .filter(status -> status.state() != DeviceState.FREE)
                .toList();
    }

    @Override
    public void close() {
        System.setProperty("java.io.tmpdir", usualTemporaryFolder);
    }
}
