package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.rankunit.engine.merge.outcome.RankFailure;
import org.rankunit.engine.plan.ClassPlan;

/**
 * Reports the containers of one class to JUnit: each starts before its first test and finishes after its last, regardless of
 * the groups on which the tests ran.
 */
public final class ClassTree implements AutoCloseable {

    private final EngineExecutionListener listener;
    private final TestDescriptor top;
    private final Set<TestDescriptor> started = new HashSet<>();
    private final Map<TestDescriptor, List<Throwable>> failures = new HashMap<>();

    /** Planned tests without a result. */
    private final Set<TestDescriptor> open = new LinkedHashSet<>();

    public ClassTree(ClassPlan plan, EngineExecutionListener listener) {
        this.listener = listener;
        this.top = plan.container();
        plan.tests().forEach(test -> open.add(test.node()));
    }

    /** Record that a planned test has its result. */
    void settled(TestDescriptor planned) {
        open.remove(planned);
    }

    /** Finish an inner container as soon as no test in it is left to run, as Jupiter does. */
    void finishIfDone(TestDescriptor container) {
        if (container != top && open.stream().noneMatch(test -> isWithin(test, container))) {
            finish(container);
        }
    }

    private static boolean isWithin(TestDescriptor node, TestDescriptor container) {
        for (TestDescriptor d = node; d != null; d = d.getParent().orElse(null)) {
            if (d.equals(container)) {
                return true;
            }
        }
        return false;
    }

    /** Start all containers around a node. */
    void startAround(TestDescriptor node) {
        if (node == top) {
            return;
        }
        node.getParent().ifPresent(parent -> {
            startAround(parent);
            start(parent);
        });
    }

    private void start(TestDescriptor container) {
        if (!container.isRoot()
                && isWithin(container)
                && container.isContainer()
                && !isPlanned(container)
                && started.add(container)) {
            listener.executionStarted(container);
        }
    }

    /** Only containers at or below the class are started here. */
    private boolean isWithin(TestDescriptor container) {
        return container.getUniqueId().hasPrefix(top.getUniqueId());
    }

    /** A template or factory is started by its own merge. */
    private static boolean isPlanned(TestDescriptor node) {
        return node instanceof org.rankunit.engine.discovery.DeviceTestDescriptor device
                && device.test().isPresent();
    }

    /** Record a failure in a container outside of its tests. */
    void failed(TestDescriptor container, Throwable cause) {
        TestDescriptor around = isPlanned(container) ? top : container;
        startAround(around);
        start(around);
        failures.computeIfAbsent(around, c -> new ArrayList<>()).add(cause);
    }

    /** Finish all containers, the inner ones first. */
    @Override
    public void close() {
        finish(top);
    }

    private void finish(TestDescriptor container) {
        container.getChildren().forEach(this::finish);
        if (started.remove(container)) {
            List<Throwable> causes = failures.getOrDefault(container, List.of());
            listener.executionFinished(
                    container,
                    switch (causes.size()) {
                        case 0 -> TestExecutionResult.successful();
                        case 1 -> TestExecutionResult.failed(causes.get(0));
                        default -> TestExecutionResult.failed(RankFailure.ofSeveralVariants(causes));
                    });
        }
    }
}
