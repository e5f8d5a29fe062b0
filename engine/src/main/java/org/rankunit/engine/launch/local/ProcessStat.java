package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the kernel says of one process.
 *
 * @param state one letter, as {@code ps} shows it
 * @param group its process group
 * @param session the session of its process group
 */
record ProcessStat(char state, long group, long session) {

    private static final int STATE = 0;
    private static final int GROUP = 2;
    private static final int SESSION = 3;

    /** Ask for a process; empty if there is none, or none that we may know of. */
    static Optional<ProcessStat> of(long pid) {
        try {
            return Optional.of(parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The name of the program comes before, in brackets, and may have blanks and brackets itself. */
    static ProcessStat parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessStat(fields[STATE].charAt(0), Long.parseLong(fields[GROUP]), Long.parseLong(fields[SESSION]));
    }

    /** Whether it was stopped by a signal, and will do nothing until another one lets it go on. */
    boolean isStopped() {
        return state == 'T';
    }

    /** Whether it has ended and only waits for its parent to hear of it. */
    boolean hasEnded() {
        return state == 'Z' || state == 'X';
    }
}
