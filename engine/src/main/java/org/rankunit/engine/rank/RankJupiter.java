package org.rankunit.engine.rank;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;

/**
 * Runs Jupiter's own engine with one change to its tree: a test that the parent refused ends without a word to Jupiter, so that no
 * {@code TestWatcher} hears that a test is disabled which other ranks run later.
 */
final class RankJupiter implements TestEngine {

    private final TestEngine jupiter;
    private final RankSession session;

    RankJupiter(TestEngine jupiter, RankSession session) {
        this.jupiter = jupiter;
        this.session = session;
    }

    /** Not Jupiter's, which the launcher grants to its own class alone; nobody sees it. */
    @Override
    public String getId() {
        return "rankunit-jupiter";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId uniqueId) {
        return jupiter.discover(request, UniqueId.forEngine(jupiter.getId()));
    }

    @Override
    public void execute(ExecutionRequest request) {
        refuseQuietlyBelow(request.getRootTestDescriptor(), session);
        jupiter.execute(request);
    }

    /** Put a {@link RefusableNode} in the place of each test below this, in the same order. */
    static void refuseQuietlyBelow(TestDescriptor container, RankSession session) {
        List<TestDescriptor> children = new ArrayList<>(container.getChildren());
        children.forEach(container::removeChild);
        for (TestDescriptor child : children) {
            // What is below a class template are prototypes, of which Jupiter itself makes copies.
            boolean isLeaf = child.getChildren().isEmpty() || RefusableNode.isTemplate(child);
            if (!isLeaf) {
                refuseQuietlyBelow(child, session);
            }
            container.addChild(isLeaf ? RefusableNode.of(child, session) : child);
        }
    }
}
