package org.rankunit.engine.rank;

import java.util.Map;

/** Where the threads of this rank are: all of them for its log, the main one for the parent. */
final class Stacks {

    /** Most frames of the main thread that go into a failure's message; the test's own are among the first. */
    private static final int SHOWN = 30;

    private static final String REFLECTION = "jdk.internal.reflect.";

    private Stacks() {}

    /** Print the stacks of all threads, and return that of the main thread. */
    static String show(Thread main) {
        StringBuilder all = new StringBuilder("rankunit: where all threads are\n");
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

    /** What lies below the test is JUnit calling it, the same for every test. */
    private static String upToTheTest(StackTraceElement[] stack) {
        int end = 0;
        while (end < stack.length && !stack[end].getClassName().startsWith(REFLECTION)) {
            end++;
        }
        return frames(stack, Math.min(end, SHOWN));
    }

    private static String frames(StackTraceElement[] stack, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < stack.length && i < most; i++) {
            StackTraceElement f = stack[i];
            // Without loader and module, which are the same for all.
            text.append("    at ")
                    .append(new StackTraceElement(
                            f.getClassName(), f.getMethodName(), f.getFileName(), f.getLineNumber()))
                    .append('\n');
        }
        return text.toString();
    }
}
