package org.rankunit.engine.rank;

import java.util.HashMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets nothing get lost that goes wrong while a test is reported. JUnit swallows whatever a listener throws; here it becomes
 * the failure of the test that was to be reported.
 */
final class GuardedListener implements TestExecutionListener {

    private final RankListener listener;

    /** What could not be told of something that runs, by its unique id. */
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
        // The parent does not know it then; what registered it can tell.
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
            // There is nobody to tell; the thread that hears the parent ends this process.
            throw e;
        } catch (Throwable e) {
            untold.putIfAbsent(uniqueId, e);
        }
    }
}
