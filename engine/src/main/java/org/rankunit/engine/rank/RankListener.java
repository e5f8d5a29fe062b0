package org.rankunit.engine.rank;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.rankunit.engine.control.Failure;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.Limits;
import org.rankunit.engine.control.RankOutcome;

/** Tells the parent what Jupiter does here. */
final class RankListener implements TestExecutionListener {

    private final RankSession session;
    private final ControlLine control;

    RankListener(RankSession session, ControlLine control) {
        this.session = session;
        this.control = control;
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        @Nullable String className = null;
        @Nullable String methodName = null;
        @Nullable String parameterTypes = null;
        if (source instanceof MethodSource method) {
            className = method.getClassName();
            methodName = method.getMethodName();
            parameterTypes = method.getMethodParameterTypes();
        } else if (source instanceof ClassSource type) {
            className = type.getClassName();
        }
        control.send(new FromRank.Registered(
                test.getUniqueId(),
                test.getParentId().orElse(""),
                Limits.cut(test.getDisplayName(), Limits.NAME_CHARS),
                Limits.cut(test.getLegacyReportingName(), Limits.NAME_CHARS),
                test.isTest(),
                className,
                methodName,
                parameterTypes,
                test.getTags().stream().map(TestTag::getName).sorted().toList()));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        Map<String, String> bounded = new LinkedHashMap<>();
        entry.getKeyValuePairs()
                .forEach((key, value) ->
                        bounded.put(Limits.cut(key, Limits.NAME_CHARS), Limits.cut(value, Limits.MESSAGE_CHARS)));
        control.send(new FromRank.Reported(test.getUniqueId(), bounded));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.getParentId().isEmpty()) {
            control.send(new FromRank.Begun());
        }
        // One rank speaks for all, since they have entered together.
        if (session.context().rank() == 0 && session.isEntered(test.getUniqueId())) {
            control.send(new FromRank.Started(test.getUniqueId()));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        session.gaveUp();
        ended(test, new RankOutcome.Skipped(reason));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        ended(test, outcomeOf(result));
    }

    private RankOutcome outcomeOf(TestExecutionResult result) {
        Optional<Throwable> thrown = result.getThrowable();
        return switch (result.getStatus()) {
            case SUCCESSFUL -> new RankOutcome.Passed();
            case ABORTED -> {
                session.gaveUp();
                yield new RankOutcome.Aborted(thrown.map(Failures::of).orElseGet(RankListener::unknown));
            }
            case FAILED -> {
                thrown.ifPresent(session::failed);
                int released = thrown.map(session::releasedBy).orElse(-1);
                Failure failure = thrown.map(Failures::of).orElseGet(RankListener::unknown);
                yield released < 0
                        ? new RankOutcome.Failed(
                                failure, "", thrown.map(Failures::deviceError).orElse(0))
                        : new RankOutcome.Released(released, failure, session.releasedFrom());
            }
        };
    }

    private static Failure unknown() {
        return new Failure("unknown", "no throwable was given", false, null, null, List.of(), null, List.of());
    }

    private void ended(TestIdentifier test, RankOutcome outcome) {
        if (test.getParentId().isEmpty() && !outcome.isFailure()) {
            return;
        }
        // What was printed until now must be in the log before the parent hears that the test has ended.
        System.out.flush();
        System.err.flush();
        session.ended(test.getUniqueId());
        control.send(new FromRank.Ended(
                test.getUniqueId(),
                isNoResult(test, outcome) ? new RankOutcome.NotRun() : outcome,
                session.takeGoldens(),
                session.endNanos(),
                session.takeVerifyNanos()));
    }

    /** Jupiter makes the instance of a test before it asks whether it may run: there the communicator may be aborted already. */
    private boolean isNoResult(TestIdentifier test, RankOutcome outcome) {
        String id = test.getUniqueId();
        return session.wasRefused(id)
                || (outcome instanceof RankOutcome.Released
                        && test.getSource()
                                .filter(MethodSource.class::isInstance)
                                .isPresent()
                        && !session.hasAsked(id));
    }
}
