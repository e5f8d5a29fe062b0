package org.rankunit.engine.rank;

import java.util.List;

/** Finds the line of the user's code in a stack: the innermost frame that is neither ours nor a library's. */
final class TestLine {

    private static final List<String> NOT_THE_USERS = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.junit.",
            "org.opentest4j.",
            "org.assertj.",
            "org.awaitility.",
            "org.rankunit.RankOnly",
            "org.rankunit.RankScope",
            "org.rankunit.golden.",
            "org.rankunit.comm.",
            "org.rankunit.device.",
            "org.rankunit.engine.rank.");

    private TestLine() {}

    /** Name it as {@code AllReduceTest.java:42}; empty if there is none. */
    static String of(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            String file = frame.getFileName();
            if (file != null && NOT_THE_USERS.stream().noneMatch(frame.getClassName()::startsWith)) {
                return frame.getLineNumber() > 0 ? file + ":" + frame.getLineNumber() : file;
            }
        }
        return "";
    }
}
