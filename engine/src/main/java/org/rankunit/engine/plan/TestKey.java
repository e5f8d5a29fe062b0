package org.rankunit.engine.plan;

import java.util.List;
import org.junit.platform.engine.UniqueId;
import org.rankunit.engine.discovery.DeviceTest;

/**
 * Names a test from run to run, whatever its number of ranks.
 *
 * @param className its top-level class, or the static nested class it is in, which is a class of its own
 * @param name where it is within that: the rest of its unique id, which is empty for a class that runs as a whole
 */
public record TestKey(String className, String name) {

    /** No test has such a name. */
    static final String BESIDE_TESTS = "beside its tests";

    /** What a class takes beside its tests: its lifecycle, and the way from test to test. */
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
