package org.rankunit.engine.rank.evidence;

import java.util.Arrays;
import java.util.Map;
import org.rankunit.engine.protocol.UserCode;

/** Where the threads of this rank are: all threads for its log, the main thread for the parent. */
final class Stacks {

    /** Maximum number of the main thread's frames in a failure message; the log has all of them. */
    private static final int SHOWN = 6;

    private static final String REFLECTION = "jdk.internal.reflect.";

    private Stacks() {}

    /** Print the stacks of all threads, and return that of the main thread. */
    static String show(Thread main) {
        StringBuilder all = new StringBuilder("rankunit: stacks of all threads\n");
        for (Map.Entry<Thread, StackTraceElement[]> thread :
                Thread.getAllStackTraces().entrySet()) {
            all.append('"')
                    .append(thread.getKey().getName())
                    .append("\" ")
                    .append(thread.getKey().getState())
                    .append('\n')
                    .append(frames(thread.getValue(), Integer.MAX_VALUE));
        }
        RankConsole.err().print(all);
        RankConsole.err().flush();
        return upToTheTest(main.getStackTrace());
    }

    /**
     * The frames from what the test has called up to the test itself. The frames below are JUnit calling it, and are the same for
     * every test.
     */
    private static String upToTheTest(StackTraceElement[] stack) {
        int end = 0;
        while (end < stack.length && !stack[end].getClassName().startsWith(REFLECTION)) {
            end++;
        }
        int users = 0;
        while (users < end && !UserCode.includes(stack[users].getClassName())) {
            users++;
        }
        int begin = users == end ? 0 : Math.max(0, users - 1);
        return frames(Arrays.copyOfRange(stack, begin, end), SHOWN);
    }

    private static String frames(StackTraceElement[] stack, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < stack.length && i < most; i++) {
            StackTraceElement f = stack[i];
            // Without class loader and module, which are the same for all frames.
            text.append("    at ")
                    .append(new StackTraceElement(
                            f.getClassName(), f.getMethodName(), f.getFileName(), f.getLineNumber()))
                    .append('\n');
        }
        return text.toString();
    }
}
