package org.rankunit.engine.rank;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.rankunit.engine.control.FromRank;

/**
 * Where Jupiter is in its tests, for the parent to know what hangs outside of a test that was entered. Thread-safe: it is asked
 * while the thread that runs the tests is stuck.
 */
final class Whereabouts {

    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable TestPlan plan;
    private String asked = "";
    private String doing = "";

    /** Something that has begun and not ended. */
    private static final class Open {
        final TestIdentifier node;
        final Set<String> registered = new LinkedHashSet<>();
        final Set<String> ended = new HashSet<>();

        /** Its own set-up is over: what is done now is done for the next test in it, or to clean up. */
        boolean isSetUp;

        Open(TestIdentifier node, boolean isSetUp) {
            this.node = node;
            this.isSetUp = isSetUp;
        }
    }

    synchronized void begin(TestPlan tests) {
        plan = tests;
        open.clear();
        asks("", "");
    }

    synchronized void registered(TestIdentifier test) {
        Open around = open.peek();
        if (around != null && test.getParentId().orElse("").equals(around.node.getUniqueId())) {
            around.registered.add(test.getUniqueId());
        }
    }

    synchronized void started(TestIdentifier test) {
        instanceIsMade();
        open.push(new Open(test, test.getParentId().isEmpty()));
    }

    synchronized void ended(TestIdentifier test) {
        if (!open.isEmpty() && open.getFirst().node.equals(test)) {
            open.pop();
        }
        if (!open.isEmpty()) {
            open.getFirst().ended.add(test.getUniqueId());
        }
        instanceIsMade();
        asks("", "");
    }

    /** A test has come so far that its instance is made, for which all around it is set up. */
    synchronized void instanceIsMade() {
        if (!open.isEmpty()) {
            open.getFirst().isSetUp = true;
        }
    }

    /** A test is about to ask whether it may run, or has asked. */
    synchronized void asks(String uniqueId, String whatIsDone) {
        asked = uniqueId;
        doing = whatIsDone;
    }

    /** Say where Jupiter is; with an empty id if it has not begun. */
    synchronized FromRank.Whereabouts tell() {
        return new FromRank.Whereabouts(asked.isEmpty() ? innermost() : asked, doing);
    }

    private String innermost() {
        Open around = open.peek();
        if (around == null) {
            return "";
        }
        return nextIn(around);
    }

    /** The next test in it, if that is what is being prepared, or else itself. */
    private String nextIn(Open around) {
        for (String test : around.registered) {
            if (!around.ended.contains(test)) {
                return test;
            }
        }
        // What is registered by and by comes from the container itself, and what hangs before it is that container.
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
