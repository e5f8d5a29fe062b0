package org.rankunit.engine.rank.evidence;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.rankunit.engine.protocol.FromRank;

/**
 * Tracks where Jupiter is in its tests, so that the parent knows what hangs outside of a test that was entered. Thread-safe: it is
 * queried while the thread that runs the tests is stuck.
 */
public final class Whereabouts {

    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable TestPlan plan;
    private String asked = "";
    private String doing = "";

    /** A test or container that has begun and not ended. */
    private static final class Open {
        final TestIdentifier node;
        final Set<String> registered = new LinkedHashSet<>();
        final Set<String> ended = new HashSet<>();

        /** Whether its own set-up is over. If so, what happens now belongs to the next test in it, or to its clean-up. */
        boolean isSetUp;

        Open(TestIdentifier node, boolean isSetUp) {
            this.node = node;
            this.isSetUp = isSetUp;
        }
    }

    /** Jupiter is about to run these tests; forget what was before. */
    public synchronized void begin(TestPlan tests) {
        plan = tests;
        open.clear();
        asks("", "");
    }

    /** A test was added to the container that runs. */
    public synchronized void registered(TestIdentifier test) {
        Open around = open.peek();
        if (around != null && test.getParentId().orElse("").equals(around.node.getUniqueId())) {
            around.registered.add(test.getUniqueId());
        }
    }

    /** A test or container has begun. */
    public synchronized void started(TestIdentifier test) {
        instanceCreated();
        open.push(new Open(test, test.getParentId().isEmpty()));
    }

    /** A test or container has ended, or was skipped. */
    public synchronized void ended(TestIdentifier test) {
        if (!open.isEmpty() && open.getFirst().node.equals(test)) {
            open.pop();
        }
        if (!open.isEmpty()) {
            open.getFirst().ended.add(test.getUniqueId());
        }
        instanceCreated();
        asks("", "");
    }

    /** The instance of a test has been created, so everything around the test is set up. */
    public synchronized void instanceCreated() {
        if (!open.isEmpty()) {
            open.getFirst().isSetUp = true;
        }
    }

    /** A test is about to ask whether it may run, or has asked. */
    public synchronized void asks(String uniqueId, String whatIsDone) {
        asked = uniqueId;
        doing = whatIsDone;
    }

    /** Report where Jupiter is; the id is empty if Jupiter has not begun. */
    public synchronized FromRank.Whereabouts tell() {
        return new FromRank.Whereabouts(asked.isEmpty() ? innermost() : asked, doing);
    }

    private String innermost() {
        Open around = open.peek();
        if (around == null) {
            return "";
        }
        return nextIn(around);
    }

    /** The next test in it if that test is being prepared, or else the container itself. */
    private String nextIn(Open around) {
        for (String test : around.registered) {
            if (!around.ended.contains(test)) {
                return test;
            }
        }
        // Tests that are registered one at a time come from the container itself; if something hangs before the next
        // one, it is
        // that container.
        if (plan != null && around.isSetUp && around.registered.isEmpty()) {
            for (TestIdentifier test : plan.getChildren(around.node)) {
                if (!around.ended.contains(test.getUniqueId())) {
                    return test.getUniqueId();
                }
            }
        }
        return around.node.getUniqueId();
    }
}
