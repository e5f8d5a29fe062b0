package org.rankunit.engine.lockstep;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.protocol.TestSelection;

/** The tests of one run, with the settings of each test. A test also uses the settings of what it runs inside. */
final class TestsToRun {

    private final List<TestSelection> selections;
    private final Duration timeout;
    private final Map<String, TestSelection> byId = new LinkedHashMap<>();

    /** How long a test may take, and the name of the setting that defines it. */
    record Limit(Duration timeout, String name) {

        /** Describe it for a message. */
        String describe() {
            return timeout.toMillis() + " ms (" + name + ")";
        }
    }

    /**
     * Index these tests.
     *
     * @param timeout applies to tests that have none of their own
     */
    TestsToRun(List<TestSelection> selections, Duration timeout) {
        this.selections = selections;
        this.timeout = timeout;
        selections.forEach(test -> byId.put(test.uniqueId(), test));
    }

    List<TestSelection> selections() {
        return selections;
    }

    /** How many buffers a test has. */
    int buffers(String uniqueId) {
        TestSelection selection = find(uniqueId);
        return selection == null ? 0 : selection.buffers().size();
    }

    /** How long a test may take. */
    Limit limit(String uniqueId) {
        TestSelection selection = find(uniqueId);
        return selection == null || selection.declaration().timeoutMillis() == 0
                ? usualLimit()
                : new Limit(Duration.ofMillis(selection.declaration().timeoutMillis()), "@RankTimeout");
    }

    /**
     * How long it may take until the first test can begin. This is not counted as time of a test, since the ranks come up during
     * it.
     */
    Limit startLimit(Duration bootstrap) {
        return bootstrap.compareTo(timeout) > 0
                ? new Limit(bootstrap, ConfigKey.BOOTSTRAP_TIMEOUT.key())
                : usualLimit();
    }

    /** How long anything else may take, such as the lifecycle methods of a class. */
    Limit usualLimit() {
        return new Limit(timeout, ConfigKey.TEST_TIMEOUT.key());
    }

    private @Nullable TestSelection find(String uniqueId) {
        TestSelection exact = byId.get(uniqueId);
        if (exact != null) {
            return exact;
        }
        for (TestSelection each : selections) {
            if (uniqueId.startsWith(each.uniqueId() + "/")) {
                return each;
            }
        }
        return null;
    }
}
