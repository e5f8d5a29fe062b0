package org.rankunit.engine.launch.local;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.rankunit.engine.link.RankLink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What can be seen of a rank that does not answer: the state of its process, the dump that its JVM writes on SIGQUIT, and
 * where gdb is installed the native stacks. Dump and stacks go into its log.
 *
 * @param state a clause such as {@code its process is stopped}, or empty if there is nothing to say
 */
public record ProcessInspection(String state) {

    private static final Duration DUMP_GRACE = Duration.ofSeconds(1);
    private static final Duration GDB_GRACE = Duration.ofSeconds(10);
    private static final Duration SIGNAL_GRACE = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(10);

    /** The last part of a dump. */
    private static final String END_OF_DUMP = "JNI global refs";

    /** Look at several ranks at the same time; comes to an end whatever state they are in. */
    public static Map<RankLink, ProcessInspection> ofAll(Collection<RankLink> ranks) {
        Map<RankLink, ProcessInspection> views = new LinkedHashMap<>();
        Map<RankLink, Long> dumping = new LinkedHashMap<>();
        for (RankLink link : ranks) {
            link.log().hideRest();
            boolean stopped = ProcessStat.of(link.process().pid())
                    .filter(ProcessStat::isStopped)
                    .isPresent();
            views.put(link, new ProcessInspection(stopped ? "its process is stopped (SIGSTOP?)" : ""));
            if (!stopped) {
                dumping.put(link, link.log().file().toFile().length());
                quit(link);
            }
        }
        awaitDumps(dumping);
        Programs.find("gdb").ifPresent(gdb -> nativeStacks(gdb, ranks));
        return views;
    }

    private static void quit(RankLink link) {
        try {
            // The shell's own command: not every machine has a program of this name.
            Process kill = new ProcessBuilder(
                            "sh",
                            "-c",
                            "kill -QUIT \"$0\"",
                            String.valueOf(link.process().pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            end(kill, SIGNAL_GRACE);
        } catch (IOException e) {
            log().debug("{} cannot be asked for a dump", link.describe(), e);
        }
    }

    private static void awaitDumps(Map<RankLink, Long> from) {
        long deadline = System.nanoTime() + DUMP_GRACE.toNanos();
        for (Map.Entry<RankLink, Long> each : from.entrySet()) {
            while (System.nanoTime() < deadline
                    && !Thread.currentThread().isInterrupted()
                    && !hasDump(each.getKey().log().file(), each.getValue())) {
                LockSupport.parkNanos(LOOK.toNanos());
            }
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

    private static void nativeStacks(Path gdb, Collection<RankLink> ranks) {
        List<Process> running = new ArrayList<>();
        for (RankLink link : ranks) {
            try {
                running.add(startGdb(gdb, link));
            } catch (IOException e) {
                log().debug("gdb cannot look at {}", link.describe(), e);
            }
        }
        long deadline = System.nanoTime() + GDB_GRACE.toNanos();
        running.forEach(process -> end(process, Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
    }

    private static Process startGdb(Path gdb, RankLink link) throws IOException {
        File log = link.log().file().toFile();
        Files.writeString(
                log.toPath(), "rankunit: native stacks of all threads, by " + gdb + "\n", StandardOpenOption.APPEND);
        ProcessBuilder builder = new ProcessBuilder(
                        gdb.toString(),
                        "-nx",
                        "-batch",
                        "-p",
                        String.valueOf(link.process().pid()),
                        "-ex",
                        "thread apply all bt 64")
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        // It would ask a server for every library.
        builder.environment().remove("DEBUGINFOD_URLS");
        return builder.start();
    }

    /** Wait for the end of a process; past its deadline it is ended. */
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

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(ProcessInspection.class);
    }
}
