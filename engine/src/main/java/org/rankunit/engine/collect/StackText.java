package org.rankunit.engine.collect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.Failure;

/** The stack of a failure as lines, as Java prints it, shortened. */
final class StackText {

    private static final int FRAMES = 25;
    private static final int CAUSES = 4;

    private StackText() {}

    /** The frames of a failure, and its causes with theirs. */
    static List<String> of(Failure failure) {
        List<String> lines = new ArrayList<>();
        addFrames(lines, failure);
        @Nullable Failure cause = failure.cause();
        for (int i = 0; i < CAUSES && cause != null; i++) {
            lines.add("Caused by: " + cause.name());
            addFrames(lines, cause);
            cause = cause.cause();
        }
        return List.copyOf(lines);
    }

    private static void addFrames(List<String> lines, Failure failure) {
        List<Failure.Frame> frames = failure.frames();
        frames.stream().limit(FRAMES).map(StackText::line).forEach(lines::add);
        if (frames.size() > FRAMES) {
            lines.add("    ... " + (frames.size() - FRAMES) + " more");
        }
    }

    private static String line(Failure.Frame frame) {
        return "    at " + new StackTraceElement(frame.type(), frame.method(), frame.file(), frame.line());
    }
}
