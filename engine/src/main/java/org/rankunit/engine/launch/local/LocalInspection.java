package org.rankunit.engine.launch.local;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.rankunit.engine.launch.ProcessInspection;
import org.rankunit.engine.launch.crash.Programs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inspects a rank that does not answer: the state of its process, the thread dump that its JVM writes on SIGQUIT and, if gdb is
 * installed, the native stacks. Dump and stacks go into the rank's log.
 */
final class LocalInspection {

    private static final Duration DUMP_GRACE = Duration.ofSeconds(1);
    private static final Duration GDB_GRACE = Duration.ofSeconds(10);
    private static final Duration SIGNAL_GRACE = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(10);

    /** The last part of a dump. */
    private static final String END_OF_DUMP = "JNI global refs";

    private final LocalProcess rank;

    private LocalInspection(LocalProcess rank) {
        this.rank = rank;
    }

    /** Start the inspection on a thread of its own. It ends in bounded time, whatever state the process is in. */
    static Future<ProcessInspection> begin(LocalProcess rank) {
        // From here on, what is written to the log is not the rank's output.
        rank.log().hideRest();
        FutureTask<ProcessInspection> task = new FutureTask<>(new LocalInspection(rank)::look);
        Thread thread = new Thread(task, "rankunit-inspect-" + rank.rank());
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private ProcessInspection look() {
        boolean stopped =
                ProcessStat.of(rank.pid()).filter(ProcessStat::isStopped).isPresent();
        if (!stopped) {
            long before = rank.log().file().toFile().length();
            quit();
            awaitDump(before);
        }
        Optional<Path> gdb = Programs.find("gdb");
        if (gdb.isPresent() && !Thread.currentThread().isInterrupted()) {
            nativeStacks(gdb.get());
        }
        return new ProcessInspection(stopped ? "its process is stopped (SIGSTOP?)" : "");
    }

    private void quit() {
        try {
            // Use the shell's builtin: not every machine has a kill program.
            Process kill = new ProcessBuilder("sh", "-c", "kill -QUIT \"$0\"", String.valueOf(rank.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            end(kill, SIGNAL_GRACE);
        } catch (IOException e) {
            log().debug("{} cannot be asked for a dump", rank.describe(), e);
        }
    }

    private void awaitDump(long from) {
        long deadline = System.nanoTime() + DUMP_GRACE.toNanos();
        while (System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()
                && !hasDump(rank.log().file(), from)) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private static boolean hasDump(Path log, long from) {
        try (RandomAccessFile in = new RandomAccessFile(log.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(Math.max(0, in.length() - from), 1 << 20)];
            in.seek(from);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).contains(END_OF_DUMP);
        } catch (IOException e) {
            return true;
        }
    }

    private void nativeStacks(Path gdb) {
        try {
            end(startGdb(gdb), GDB_GRACE);
        } catch (IOException e) {
            log().debug("gdb cannot look at {}", rank.describe(), e);
        }
    }

    private Process startGdb(Path gdb) throws IOException {
        File log = rank.log().file().toFile();
        Files.writeString(
                log.toPath(), "rankunit: native stacks of all threads, by " + gdb + "\n", StandardOpenOption.APPEND);
        ProcessBuilder builder = new ProcessBuilder(
                        gdb.toString(),
                        "-nx",
                        "-batch",
                        "-p",
                        String.valueOf(rank.pid()),
                        "-ex",
                        "thread apply all bt 64")
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        // With this variable, gdb would query a server for every library.
        builder.environment().remove("DEBUGINFOD_URLS");
        return builder.start();
    }

    /** Wait for a process to end; kill it if it takes longer than the grace period. */
    private static void end(Process process, Duration grace) {
        try {
            if (!process.waitFor(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(LocalInspection.class);
    }
}
