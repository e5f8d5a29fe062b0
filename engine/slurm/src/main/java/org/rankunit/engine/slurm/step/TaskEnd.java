package org.rankunit.engine.slurm.step;

import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how a task has ended, in the words of {@code srun}: those of {@code strsignal} for signals. */
final class TaskEnd {

    private static final int OF_SIGNALS = 128;
    private static final int FIRST_REAL_TIME_SIGNAL = 34;
    private static final int KILLED = 9;

    private static final Pattern EXITED = Pattern.compile("Exited with exit code (\\d{1,3})");
    private static final Pattern REAL_TIME_SIGNAL = Pattern.compile("Real-time signal (\\d{1,2})");
    private static final Pattern UNKNOWN_SIGNAL = Pattern.compile("Unknown signal (\\d{1,3})");

    private static final Map<String, Integer> SIGNALS = Map.ofEntries(
            Map.entry("Hangup", 1),
            Map.entry("Interrupt", 2),
            Map.entry("Quit", 3),
            Map.entry("Illegal instruction", 4),
            Map.entry("Trace/breakpoint trap", 5),
            Map.entry("Aborted", 6),
            Map.entry("Bus error", 7),
            Map.entry("Floating point exception", 8),
            Map.entry("Killed", KILLED),
            Map.entry("User defined signal 1", 10),
            Map.entry("Segmentation fault", 11),
            Map.entry("User defined signal 2", 12),
            Map.entry("Broken pipe", 13),
            Map.entry("Alarm clock", 14),
            Map.entry("Terminated", 15),
            Map.entry("Stack fault", 16),
            Map.entry("CPU time limit exceeded", 24),
            Map.entry("File size limit exceeded", 25),
            Map.entry("Virtual timer expired", 26),
            Map.entry("Profiling timer expired", 27),
            Map.entry("I/O possible", 29),
            Map.entry("Power failure", 30),
            Map.entry("Bad system call", 31),
            // Where cgroups limit memory, the kernel kills the task.
            Map.entry("Out Of Memory", KILLED));

    private TaskEnd() {}

    /** Returns the exit code that Java would report; empty if the words are not those of an end. */
    static OptionalInt exitCode(String words) {
        Matcher exited = EXITED.matcher(words);
        if (exited.matches()) {
            return OptionalInt.of(Integer.parseInt(exited.group(1)));
        }
        Integer signal = SIGNALS.get(words);
        if (signal != null) {
            return OptionalInt.of(OF_SIGNALS + signal);
        }
        Matcher realTime = REAL_TIME_SIGNAL.matcher(words);
        if (realTime.matches()) {
            return OptionalInt.of(OF_SIGNALS + FIRST_REAL_TIME_SIGNAL + Integer.parseInt(realTime.group(1)));
        }
        Matcher unknown = UNKNOWN_SIGNAL.matcher(words);
        return unknown.matches()
                ? OptionalInt.of(OF_SIGNALS + Integer.parseInt(unknown.group(1)))
                : OptionalInt.empty();
    }
}
