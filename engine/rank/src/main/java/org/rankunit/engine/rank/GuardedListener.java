package org.rankunit.engine.rank;

import java.util.HashMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.rankunit.engine.rank.failure.UnreportedException;
import org.rankunit.engine.rank.parent.LostParentException;

/**
 * Catches everything that goes wrong while a test is reported. JUnit swallows whatever a listener throws; here it becomes the
 * failure of the test that was being reported.
 */
final class GuardedListener implements TestExecutionListener {

    private final RankListener listener;

    /** What went wrong with the report of something that is running, by its unique id. */
    private final Map<String, Throwable> untold = new HashMap<>();

    GuardedListener(RankListener listener) {
        this.listener = listener;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        listener.testPlanExecutionStarted(plan);
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        // The parent then does not know this test, so the failure is reported for the container that registered it.
        guarded(test.getParentId().orElse(test.getUniqueId()), () -> listener.dynamicTestRegistered(test));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        guarded(test.getUniqueId(), () -> listener.reportingEntryPublished(test, entry));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        guarded(test.getUniqueId(), () -> listener.executionStarted(test));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        guarded(test.getUniqueId(), () -> listener.executionSkipped(test, reason));
        Throwable cause = untold.remove(test.getUniqueId());
        if (cause != null) {
            listener.cannotReport(test, new UnreportedException("was skipped", cause));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!untold.containsKey(test.getUniqueId())) {
            guarded(test.getUniqueId(), () -> listener.executionFinished(test, result));
        }
        Throwable cause = untold.remove(test.getUniqueId());
        if (cause != null) {
            String ended = switch (result.getStatus()) {
                case SUCCESSFUL -> "passed";
                case ABORTED -> "gave up";
                case FAILED -> "failed";
            };
            UnreportedException failure = new UnreportedException(ended, cause);
            result.getThrowable().ifPresent(failure::addSuppressed);
            listener.cannotReport(test, failure);
        }
    }

    private void guarded(String uniqueId, Runnable report) {
        try {
            report.run();
        } catch (LostParentException e) {
            // There is no parent to report to. The thread that listens to the parent ends this process.
            throw e;
        } catch (Throwable e) {
            untold.putIfAbsent(uniqueId, e);
        }
    }
}
