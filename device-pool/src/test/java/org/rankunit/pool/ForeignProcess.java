package org.rankunit.pool;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Another JVM that uses a pool's folder; ended on close. Its standard input at its end tells it to stop. */
final class ForeignProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;
    private static final int ATTEMPTS = 100;

    private final Process process;
    private final BufferedReader output;

    private ForeignProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /** One that holds {@code count} of the first {@code devices} devices, and has them when this returns. */
    static ForeignProcess leasing(Path folder, int devices, int count, String test) throws Exception {
        ForeignProcess holder =
                start(ForeignHolder.class, folder, String.valueOf(devices), String.valueOf(count), test);
        holder.awaitLine("leased");
        return holder;
    }

    /** One that holds the pool's mutex, and has it when this returns. */
    static ForeignProcess holdingTheMutex(Path folder) throws Exception {
        ForeignProcess blocker = start(ForeignHolder.class, folder);
        blocker.awaitLine("locked");
        return blocker;
    }

    static ForeignProcess start(Class<?> main, Path folder, String... arguments) throws IOException {
        return startBy(List.of(), System.getProperty("java.class.path"), main, folder, arguments);
    }

    /** One that is started by another command, which becomes it: {@code setpriv} and the like. */
    static ForeignProcess startBy(
            List<String> prefix, String classPath, Class<?> main, Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                main.getName(),
                folder.toString()));
        command.addAll(List.of(arguments));
        return new ForeignProcess(new ProcessBuilder(command)
                // Another user may not be allowed where this process is.
                .directory(new File("/"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    void awaitLine(String expected) throws Exception {
        String line = CompletableFuture.supplyAsync(this::nextLine).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!expected.equals(line)) {
            throw new AssertionError("process " + pid() + " said \"" + line + "\", not \"" + expected + "\"");
        }
    }

    private String nextLine() {
        try {
            return String.valueOf(output.readLine());
        } catch (IOException e) {
            return e.toString();
        }
    }

    long pid() {
        return process.pid();
    }

    /** Send SIGSTOP or SIGCONT. */
    void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("cannot send SIG" + name + " to process " + pid());
        }
    }

    /** Stop it at a moment at which it does not hold the pool's mutex, with which it would hold up everybody. */
    void stopWithoutTheMutex(Path folder) throws Exception {
        Object mutex = Files.getAttribute(folder.resolve("gate.lock"), "unix:ino");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            signal("STOP");
            Pools.await("each thread of process " + pid() + " is stopped", this::isStopped);
            if (!holdsLockOn(mutex)) {
                return;
            }
            signal("CONT");
        }
        throw new AssertionError("process " + pid() + " held the pool's mutex " + ATTEMPTS + " times in a row");
    }

    private boolean isStopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid()), "task"))) {
            return threads.allMatch(thread -> stateOf(thread) == 'T');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static char stateOf(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(") ") + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line of /proc/locks is "1: POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF". */
    private boolean holdsLockOn(Object inode) throws IOException {
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .map(line -> line.trim().split("\\s+"))
                .filter(fields -> fields[4].equals(String.valueOf(pid())))
                .anyMatch(fields -> fields[5].endsWith(":" + inode));
    }

    /** Send SIGKILL; does not wait until the process is gone. */
    void kill() {
        process.destroyForcibly();
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("process " + pid() + " still runs after " + PATIENCE_SECONDS + " s");
        }
    }

    @Override
    public void close() {
        try {
            process.outputWriter().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException | InterruptedException e) {
            process.destroyForcibly();
        }
    }
}
