package org.rankunit.comm.recorder;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

    private CallPlace() {}

    /**
     * Returns the place such as {@code "RingTest.java:41"} or {@code "Helpers.java:12, called at RingTest.java:41"}; {@code null} if
     * RankUnit itself has made the call.
     */
    public static @Nullable String ofCaller() {
        return WALKER.walk(CallPlace::in);
    }

    /** A loop, since a pipeline of the frames takes twice as long. */
    private static @Nullable String in(Stream<StackFrame> frames) {
        Iterator<StackFrame> each = frames.iterator();
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
