package org.rankunit.engine.plan;

import java.util.List;
import org.rankunit.engine.config.Platform;

/**
 * The tests of one class that run on the same group.
 *
 * @param className name of the class, for messages
 * @param fresh whether its ranks must not have run anything before, and must not run anything afterwards
 */
public record GroupPlan(String className, GroupKind kind, boolean fresh, List<PlannedTest> tests) {

    public Platform platform() {
        return kind.platform();
    }

    public int ranks() {
        return kind.ranks();
    }

    /** Name the variant as in reports. */
    public String variant() {
        return variant(ranks(), platform().id());
    }

    /** Name any variant as in reports. */
    public static String variant(int ranks, String platform) {
        return "[" + ranks + (ranks == 1 ? " rank, " : " ranks, ") + platform + "]";
    }
}
