package org.rankunit.engine.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rankunit.comm.jna.OsProcessGroup;
import org.slf4j.LoggerFactory;

/**
 * A value in the environment of a rank that every descendant process inherits, and a number made from it among its limits, which it
 * keeps even if it is started with another environment.
 *
 * <p>With it such processes can be found even if the rank is dead and they have left its process group, as daemons do. It contains
 * the name of the session, which is random, the group and the rank, so it is unique.
 */
public final class ProcessMark {

    /** Name of the environment variable. */
    public static final String VARIABLE = "RANKUNIT_RANK";

    // The number has so many bits for each part of the word, the session first.
    private static final int GROUP_BITS = 16;
    private static final int RANK_BITS = 7;

    /** Numbers of marks are shorter than what a Java number can hold. */
    private static final Pattern LIMIT = Pattern.compile(OsProcessGroup.MARK_LINE + "\\s+(\\d{1,18})\\s.*");

    /** Sets a limit of its own process, and becomes another program: not even the first steps of that are without the limit. */
    private static final List<Path> PRLIMIT = List.of(Path.of("/usr/bin/prlimit"), Path.of("/bin/prlimit"));

    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final String word;

    /** Whether values that start with the word match, too. */
    private final boolean prefix;

    private ProcessMark(String word, boolean prefix) {
        this.word = word;
        this.prefix = prefix;
    }

    /** The mark of one rank, derived from the folder of its group in the session's folder. */
    public static ProcessMark ofRank(Path group, int rank) {
        return new ProcessMark(ofGroup(group).word + rank, false);
    }

    /** The marks of all ranks of a group. */
    public static ProcessMark ofGroup(Path group) {
        Path session = Objects.requireNonNull(group.getParent(), "a group's folder lies in that of its session");
        return new ProcessMark(ofSession(session).word + group.getFileName() + "/", true);
    }

    /** The marks of all ranks of a session. */
    public static ProcessMark ofSession(Path session) {
        return new ProcessMark(session.getFileName() + "/", true);
    }

    /** The mark of this process, if it is a rank or was started by one; otherwise empty. */
    public static Optional<ProcessMark> ofThisProcess() {
        return Optional.ofNullable(System.getenv(VARIABLE)).map(word -> new ProcessMark(word, false));
    }

    /** Put it into the environment of a process that is about to start. */
    public void putInto(Map<String, String> environment) {
        environment.put(VARIABLE, word);
    }

    /**
     * Put it into the environment of a process that is about to start, and into its limits from its first step on, if the machine has
     * the program {@code prlimit} and lets it set this limit. A program that cannot be executed is left for the start to complain about.
     */
    public void putInto(ProcessBuilder builder) {
        putInto(builder.environment());
        if (Files.isExecutable(Path.of(builder.command().get(0)))) {
            List<String> command = new ArrayList<>(Limits.COMMAND);
            if (!command.isEmpty()) {
                command.add(locks());
            }
            command.addAll(builder.command());
            builder.command(command);
        }
    }

    private String locks() {
        return "--locks=" + number() + ":";
    }

    /** The command that sets limits; empty if there is none that works here. */
    private static final class Limits {

        private static final List<String> COMMAND = PRLIMIT.stream()
                .filter(Files::isExecutable)
                .map(Path::toString)
                .filter(Limits::works)
                .limit(1)
                .toList();

        /** A sandbox may refuse, and a hard limit be too low. Without a program to become, it only sets the limit. */
        private static boolean works(String prlimit) {
            try {
                Process process = new ProcessBuilder(
                                prlimit, ofSession(Path.of("any")).locks())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                try {
                    return process.waitFor(ANSWER.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
                } finally {
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                LoggerFactory.getLogger(ProcessMark.class).debug("{} cannot be started", prlimit, e);
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /**
     * Mark this process and all that it will start by the number, in addition to the environment: one that was started without the
     * number, as on a node of Slurm.
     */
    public void putIntoLimits() {
        if (!OsProcessGroup.mark(number())) {
            LoggerFactory.getLogger(ProcessMark.class).debug("The limits of this process cannot be marked");
        }
    }

    /** Parts of the word that are missing have zeros. */
    private long number() {
        String[] parts = word.split("/", -1);
        long session = Integer.toUnsignedLong(parts[0].hashCode()) + 1;
        long group = parts.length > 1 ? parts[1].hashCode() & ((1L << GROUP_BITS) - 1) : 0;
        long rank = parts.length > 2 && !parts[2].isEmpty() ? Integer.parseInt(parts[2]) + 1 : 0;
        return (((session << GROUP_BITS) | group) << RANK_BITS) | rank;
    }

    /** Whether a number is that of this mark, or begins with it as far as this has parts. */
    private boolean matches(long other) {
        int parts = (int) word.chars().filter(c -> c == '/').count();
        int ignored = !prefix ? 0 : parts == 1 ? GROUP_BITS + RANK_BITS : RANK_BITS;
        return other >> ignored == number() >> ignored;
    }

    /** Find the living processes with this mark, except this one. Processes of other users cannot be inspected. */
    public List<ProcessHandle> bearers() {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && isOn(process.pid()))
                .toList();
    }

    private boolean isOn(long pid) {
        return isInEnvironment(pid) || (isInLimits(pid) && !hasEnded(pid));
    }

    /** Its exit status has not been collected yet, so it still has limits, but no environment. */
    private static boolean hasEnded(long pid) {
        try (Stream<String> status = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return status.anyMatch(line -> line.startsWith("State:\tZ") || line.startsWith("State:\tX"));
        } catch (IOException | UncheckedIOException e) {
            return true;
        }
    }

    private boolean isInLimits(long pid) {
        try (Stream<String> limits = Files.lines(Path.of("/proc", Long.toString(pid), "limits"))) {
            return limits.map(LIMIT::matcher)
                    .filter(Matcher::matches)
                    .anyMatch(limit -> matches(Long.parseLong(limit.group(1))));
        } catch (IOException | UncheckedIOException e) {
            // It has ended, or belongs to another user.
            return false;
        }
    }

    private boolean isInEnvironment(long pid) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ"));
        } catch (IOException e) {
            // It has ended, or belongs to another user.
            return false;
        }
        String entries = "\0" + new String(environment, StandardCharsets.ISO_8859_1);
        return entries.contains("\0" + VARIABLE + "=" + word + (prefix ? "" : "\0"));
    }

    /**
     * End every process that carries the mark, except this one.
     *
     * @param before receives the command line of each process before it is ended
     */
    public void endBearers(Consumer<String> before) {
        bearers().forEach(process -> {
            before.accept(process.info().commandLine().orElse("a process"));
            process.destroyForcibly();
        });
    }
}
