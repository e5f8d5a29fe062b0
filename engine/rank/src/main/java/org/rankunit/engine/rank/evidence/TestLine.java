package org.rankunit.engine.rank.evidence;

import java.util.List;
import org.rankunit.engine.protocol.UserCode;

/** Finds the line of user code in a stack: the innermost frame that belongs neither to us nor to a library. */
final class TestLine {

    private TestLine() {}

    /** Name it as {@code AllReduceTest.java:42}; empty if there is none. */
    static String of(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            String file = frame.getFileName();
            if (file != null && UserCode.includes(frame.getClassName())) {
                return frame.getLineNumber() > 0 ? file + ":" + frame.getLineNumber() : file;
            }
        }
        return "";
    }
}
