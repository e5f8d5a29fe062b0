package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kernel's data about one process.
 *
 * @param state one letter, as {@code ps} shows it
 * @param group its process group
 * @param session the session of its process group
 */
record ProcessStat(char state, long group, long session) {

    private static final int STATE = 0;
    private static final int GROUP = 2;
    private static final int SESSION = 3;

    /** Read the data of a process; empty if there is no such process or it cannot be read. */
    static Optional<ProcessStat> of(long pid) {
        try {
            return Optional.of(parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The name of the program comes first, in parentheses, and may itself contain blanks and parentheses. */
    static ProcessStat parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessStat(fields[STATE].charAt(0), Long.parseLong(fields[GROUP]), Long.parseLong(fields[SESSION]));
    }

    /** Whether it was stopped by a signal and will do nothing until another signal resumes it. */
    boolean isStopped() {
        return state == 'T';
    }

    /** Whether it has ended and only waits for its parent to collect its exit status. */
    boolean hasEnded() {
        return state == 'Z' || state == 'X';
    }
}
