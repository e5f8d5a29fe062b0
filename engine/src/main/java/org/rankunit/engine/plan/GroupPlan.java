package org.rankunit.engine.plan;

import java.util.List;
import org.rankunit.engine.config.Platform;

/**
 * The tests of one class that run on the same kind of group.
 *
 * @param className the class, for messages
 */
public record GroupPlan(String className, Platform platform, int ranks, List<PlannedTest> tests) {

    /** Name the variant as reports do. */
    public String variant() {
        return "[" + ranks + (ranks == 1 ? " rank, " : " ranks, ") + platform.id() + "]";
    }
}
