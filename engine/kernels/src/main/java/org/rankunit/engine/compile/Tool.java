package org.rankunit.engine.compile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Runs a program until it ends or a deadline passes. Stateless. */
final class Tool {

    /** How much of a program's output is read. */
    private static final int OUTPUT_BYTES = 256 << 10;

    /** How long to wait for the end of a process that was killed. */
    private static final long KILL_SECONDS = 5;

    private Tool() {}

    /**
     * How a program ended.
     *
     * @param exit its exit code, or empty if it was ended at the deadline
     * @param output the beginning of what it printed
     */
    record Result(OptionalInt exit, String output) {

        boolean isFine() {
            return exit.isPresent() && exit.getAsInt() == 0;
        }
    }

    /**
     * Run a program. If this method returns at the deadline or throws, the program and its descendants have been killed.
     *
     * @param folder its working folder
     * @param log where its output is written
     * @param deadlineNanos as {@link System#nanoTime} counts
     * @throws IOException if it cannot be started
     */
    static Result run(List<String> command, Path folder, Path log, long deadlineNanos)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // Plain quotes, and messages that can be searched for.
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        boolean ended = false;
        try {
            process.getOutputStream().close();
            ended = process.waitFor(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new Result(ended ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(), head(log));
        } finally {
            if (!ended) {
                end(process);
            }
        }
    }

    /** A compiler driver starts the compiler proper, which would outlive it. */
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
    }

    private static String head(Path log) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            return new String(in.readNBytes(OUTPUT_BYTES), StandardCharsets.UTF_8);
        }
    }
}
