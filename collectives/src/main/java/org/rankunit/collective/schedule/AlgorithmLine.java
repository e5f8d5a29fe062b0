package org.rankunit.collective.schedule;

import java.lang.StackWalker.StackFrame;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.TaskStream;

/** The line of an algorithm that queues a task. */
final class AlgorithmLine {

    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String OURS = AlgorithmLine.class.getPackageName() + ".";

    private AlgorithmLine() {}

    /** Returns the place such as {@code "RingAllReduce.java:41"}; null if there is no algorithm on the stack. */
    static @Nullable String ofCaller() {
        return WALKER.walk(AlgorithmLine::in);
    }

    private static @Nullable String in(Stream<StackFrame> frames) {
        return frames.filter(frame -> !isBetween(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(null);
    }

    private static boolean isBetween(String type) {
        return type.startsWith(OURS)
                || type.equals(TaskStream.class.getName())
                || type.equals(Orchestration.class.getName());
    }
}
