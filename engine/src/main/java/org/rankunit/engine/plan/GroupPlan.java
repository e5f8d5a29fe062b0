package org.rankunit.engine.plan;

import java.util.List;
import java.util.Optional;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.site.GroupKind;

/**
 * The tests of one class that run on the same group, all with the same seed if they are shaken.
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

    /** The seed with which its tests are shaken; empty if they are not. */
    public Optional<TestDeclaration.Shake> shake() {
        return platform().isSimulator() && !tests.isEmpty()
                ? Optional.ofNullable(tests.get(0).test().declaration().shake())
                : Optional.empty();
    }

    /** Name the variant as in messages: {@code "[2 ranks, a2a3sim, host_build_graph, seed 7]"}. */
    public String title() {
        String runtime = kind.runtime().isEmpty() ? "" : ", " + kind.runtime();
        String shaken = shake().map(shake -> ", " + shake.text()).orElse("");
        String variant = variant();
        return variant.substring(0, variant.length() - 1) + runtime + shaken + "]";
    }

    /** Name any variant as in reports. */
    public static String variant(int ranks, String platform) {
        return "[" + ranks + (ranks == 1 ? " rank, " : " ranks, ") + platform + "]";
    }

    /** What the author declared of one of the tests, by its id in a rank. */
    public Optional<TestDeclaration> declarationOf(String jupiterId) {
        return tests.stream()
                .filter(each -> each.test().jupiterId().equals(jupiterId))
                .findFirst()
                .map(each -> each.test().declaration());
    }
}
