package org.rankunit.engine.plan;

import java.util.List;
import org.junit.platform.engine.UniqueId;
import org.rankunit.engine.discovery.DeviceTest;

/**
 * Identifies a test across runs, independent of its number of ranks.
 *
 * @param className its top-level class, or the static nested class that contains it, which counts as a separate class
 * @param name its place within that class: the rest of its unique id, which is empty for a class that runs as a whole
 */
public record TestKey(String className, String name) {

    /** A name that no test can have. */
    static final String BESIDE_TESTS = "beside its tests";

    /** The time a class takes in addition to its tests: its lifecycle methods, and the transitions between tests. */
    public static TestKey besideTests(String className) {
        return new TestKey(className, BESIDE_TESTS);
    }

    public static TestKey of(DeviceTest test) {
        List<UniqueId.Segment> segments = UniqueId.parse(test.jupiterId()).getSegments();
        StringBuilder name = new StringBuilder();
        for (UniqueId.Segment segment : segments.subList(Math.min(2, segments.size()), segments.size())) {
            name.append(name.isEmpty() ? "" : "/")
                    .append(segment.getType())
                    .append(':')
                    .append(segment.getValue());
        }
        return new TestKey(segments.get(Math.min(1, segments.size() - 1)).getValue(), name.toString());
    }
}
