package org.rankunit.engine.merge;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestExecutionResult;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.discovery.XmlText;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.outcome.RankFailure;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.plan.PlannedTest;
import org.rankunit.engine.plan.TestDecision;

/** Passes the only result of each test to JUnit and to the reports. */
public final class Results {

    private final EngineExecutionListener listener;
    private final Consumer<TestResult> reports;
    private final Consumer<List<String>> output;

    /**
     * Pass results to these.
     *
     * @param output prints the output of the ranks of a group, given by rank
     */
    public Results(EngineExecutionListener listener, Consumer<TestResult> reports, Consumer<List<String>> output) {
        this.listener = listener;
        this.reports = reports;
        this.output = output;
    }

    public EngineExecutionListener listener() {
        return listener;
    }

    void print(List<String> byRank) {
        output.accept(byRank);
    }

    /** Report the result of a test that does not run; does nothing for one that runs. */
    public void withoutRun(PlannedTest test, ClassTree tree) {
        Verdict verdict;
        if (test.decision() instanceof TestDecision.Skipped skipped) {
            verdict = new Verdict.Skipped(skipped.reason());
        } else if (test.decision() instanceof TestDecision.Refused refused) {
            verdict = new Verdict.Failed(RankFailure.withoutStack(refused.mistake()));
        } else {
            return;
        }
        tree.startAround(test.node());
        if (verdict instanceof Verdict.Failed) {
            listener.executionStarted(test.node());
        }
        tree.settled(test.node());
        give(new TestResult(
                test.node(),
                test.test().ranks(),
                "",
                List.of(),
                0,
                verdict,
                new TreeMap<>(),
                List.of(),
                GroupPhases.KEPT,
                0,
                0,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                "",
                OptionalLong.empty(),
                List.of()));
        test.node().getParent().ifPresent(tree::finishIfDone);
    }

    /** Report a result; the test must have started, unless it is skipped. */
    void give(TestResult result) {
        if (result.verdict() instanceof Verdict.Failed || result.verdict() instanceof Verdict.Aborted) {
            FileEntries.attach(listener, result.test(), result.logs());
        }
        tell(result.test(), result.verdict());
        reports.accept(result);
    }

    /** Report a verdict to JUnit only, as for a container of tests. */
    void tell(DeviceTestDescriptor node, Verdict verdict) {
        if (verdict instanceof Verdict.Skipped skipped) {
            listener.executionSkipped(node, XmlText.of(skipped.reason()));
        } else if (verdict instanceof Verdict.Failed failed) {
            listener.executionFinished(node, TestExecutionResult.failed(failed.cause()));
        } else if (verdict instanceof Verdict.Aborted aborted) {
            listener.executionFinished(node, TestExecutionResult.aborted(aborted.cause()));
        } else {
            listener.executionFinished(node, TestExecutionResult.successful());
        }
    }
}
