package org.rankunit.engine.launch;

import java.util.Map;

/**
 * How a process ended, as Java tells it: the exit code, which above 128 stands for the signal that killed the process
 * (or for a program that chose that code itself; nothing tells them apart).
 */
public record ExitStatus(int code) {

    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL",
            11, "SIGSEGV", 15, "SIGTERM");

    /** Describe the end of a process for a person. */
    public String describe() {
        String signal = SIGNALS.get(code - 128);
        return signal == null ? "exited with code " + code : "was killed by " + signal + " (exit code " + code + ")";
    }
}
