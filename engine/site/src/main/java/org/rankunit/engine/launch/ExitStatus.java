package org.rankunit.engine.launch;

import java.util.Map;
import org.rankunit.engine.protocol.wire.Channel;

/**
 * How a process ended, as reported by Java: the exit code. A code above 128 stands for the signal that killed the process, or for a
 * program that chose that code itself; the two cannot be distinguished.
 */
public record ExitStatus(int code) {

    /** Signals that end a process by default. */
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"),
            Map.entry(26, "SIGVTALRM"),
            Map.entry(27, "SIGPROF"),
            Map.entry(31, "SIGSYS"));

    /** Whether it was SIGKILL, which the process itself cannot report. */
    public boolean isKill() {
        return code == 128 + 9;
    }

    /** Whether it was a signal by which a person, the system or a batch system ends a process that has done nothing wrong. */
    public boolean isFromOutside() {
        return isKill() || code == 128 + 1 || code == 128 + 2 || code == 128 + 15;
    }

    /** Describe how the process ended, for a person. */
    public String describe() {
        if (code == Channel.LOST_EXIT_CODE) {
            return "lost its control channel (exit code " + code + ")";
        }
        String signal = SIGNALS.get(code - 128);
        return signal == null ? "exited with code " + code : "was killed by " + signal + " (exit code " + code + ")";
    }
}
