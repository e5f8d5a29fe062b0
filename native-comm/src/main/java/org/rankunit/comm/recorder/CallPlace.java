package org.rankunit.comm.recorder;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The line of a test that has called RankUnit, and the line that has called the method with that line, if it is of the test too:
 * a helper method may be called from many places.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CallPlace {

    /** Frames are fetched in batches of so many: most calls of a test are found in the first one. */
    private static final int BATCH = 10;

    private static final StackWalker WALKER = StackWalker.getInstance(Set.of(), BATCH);

    /** Sees what native code sees. */
    private static final StackWalker ALL_FRAMES = StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES);

    /** The packages of RankUnit and of Java that are on the stack between a test and a device. */
    private static final List<String> BETWEEN = List.of(
            "org.rankunit.device.",
            "org.rankunit.comm.",
            "org.rankunit.graph.",
            "org.rankunit.golden.",
            "org.rankunit.engine.rank.",
            "java.",
            "jdk.");

    /** Where there is no test any more. */
    private static final String JUNIT = "org.junit.";

    /** Makes and frees the buffers of each test, for which the stack need not be walked up to JUnit. */
    private static final String AROUND_TESTS = "org.rankunit.engine.rank.buffers.TestBuffers";

    /** The package of classes that test authors import. */
    private static final String ROOT = "org.rankunit.";

    /** This package, which is on top of each stack. */
    private static final String OWN = "org.rankunit.comm.recorder.";

    private CallPlace() {}

    /**
     * A place, and what it depends on.
     *
     * @param frames how many frames, hidden ones too, from the caller of this package on; 0 if it depends on there being no more
     */
    record Decided(@Nullable String place, int frames) {}

    /** Frames of which it is noted who has been looked at. */
    private static final class Noted implements Iterator<StackFrame> {

        private final Iterator<StackFrame> frames;
        private final List<StackFrame> seen = new ArrayList<>();
        private boolean ended;
        private @Nullable String place;

        Noted(Iterator<StackFrame> frames) {
            this.frames = frames;
        }

        @Override
        public boolean hasNext() {
            boolean more = frames.hasNext();
            ended |= !more;
            return more;
        }

        @Override
        public StackFrame next() {
            StackFrame next = frames.next();
            if (!next.getClassName().startsWith(OWN)) {
                seen.add(next);
            }
            return next;
        }
    }

    /**
     * Returns the place such as {@code "RingTest.java:41"} or {@code "Helpers.java:12, called at RingTest.java:41"}; {@code null} if
     * RankUnit itself has made the call.
     */
    public static @Nullable String ofCaller() {
        return WALKER.walk(frames -> in(frames.iterator()));
    }

    /** The same with what it depends on, which takes longer. */
    static Decided decideForCaller() {
        Noted noted = WALKER.walk(frames -> {
            Noted all = new Noted(frames.iterator());
            all.place = in(all);
            return all;
        });
        return new Decided(
                noted.place, noted.ended ? 0 : ALL_FRAMES.walk(all -> countUntil(noted.seen, all.iterator())));
    }

    /** How many frames there are until the last one of those, which are among them in the same order. */
    private static int countUntil(List<StackFrame> those, Iterator<StackFrame> all) {
        int count = 0;
        int found = 0;
        while (found < those.size() && all.hasNext()) {
            StackFrame frame = all.next();
            if (!frame.getClassName().startsWith(OWN)) {
                count++;
                found += isSame(frame, those.get(found)) ? 1 : 0;
            }
        }
        return found < those.size() ? 0 : count;
    }

    private static boolean isSame(StackFrame a, StackFrame b) {
        return a.getByteCodeIndex() == b.getByteCodeIndex()
                && a.getMethodName().equals(b.getMethodName())
                && a.getClassName().equals(b.getClassName());
    }

    /** A loop, since a pipeline of the frames takes twice as long. */
    private static @Nullable String in(Iterator<StackFrame> each) {
        while (each.hasNext()) {
            StackFrame frame = each.next();
            String type = frame.getClassName();
            if (type.equals(AROUND_TESTS)) {
                return null;
            } else if (!isBetween(type)) {
                String place = type.startsWith(JUNIT) ? null : text(frame.toStackTraceElement());
                return place == null ? null : place + calledAt(each);
            }
        }
        return null;
    }

    /** Who has called the method whose frame comes before. */
    private static String calledAt(Iterator<StackFrame> callers) {
        if (!callers.hasNext()) {
            return "";
        }
        StackFrame caller = callers.next();
        String type = caller.getClassName();
        if (type.startsWith(JUNIT) || isBetween(type)) {
            return "";
        }
        String place = text(caller.toStackTraceElement());
        return place == null ? "" : ", called at " + place;
    }

    private static @Nullable String text(StackTraceElement frame) {
        return frame.getFileName() == null || frame.getLineNumber() <= 0
                ? null
                : frame.getFileName() + ":" + frame.getLineNumber();
    }

    private static boolean isBetween(String type) {
        for (String each : BETWEEN) {
            if (type.startsWith(each)) {
                return true;
            }
        }
        return type.startsWith(ROOT) && type.indexOf('.', ROOT.length()) < 0;
    }
}
