package org.rankunit.engine.rank;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;

/**
 * Runs Jupiter's own engine with one change to its tree: a test that the parent refused ends without notifying Jupiter, so that no
 * {@code TestWatcher} is told that a test is disabled although other ranks run it later.
 */
final class RankJupiter implements TestEngine {

    private final TestEngine jupiter;
    private final RankSession session;

    RankJupiter(TestEngine jupiter, RankSession session) {
        this.jupiter = jupiter;
        this.session = session;
    }

    /** Differs from Jupiter's id, which the launcher reserves for Jupiter's own class. It is not visible to users. */
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

    /** Replace each test below this container with a {@link RefusableNode}, in the same order. */
    static void refuseQuietlyBelow(TestDescriptor container, RankSession session) {
        List<TestDescriptor> children = new ArrayList<>(container.getChildren());
        children.forEach(container::removeChild);
        for (TestDescriptor child : children) {
            // The children of a class template are prototypes, which Jupiter itself copies.
            boolean isLeaf = child.getChildren().isEmpty() || RefusableNode.isTemplate(child);
            if (!isLeaf) {
                refuseQuietlyBelow(child, session);
            }
            container.addChild(isLeaf ? RefusableNode.of(child, session) : child);
        }
    }
}
