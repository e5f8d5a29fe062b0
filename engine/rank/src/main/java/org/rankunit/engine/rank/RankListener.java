package org.rankunit.engine.rank;

import java.io.PrintStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.wire.Limits;
import org.rankunit.engine.rank.evidence.RankConsole;
import org.rankunit.engine.rank.failure.Failures;
import org.rankunit.engine.rank.failure.Truncated;
import org.rankunit.engine.rank.failure.UnreportedException;
import org.rankunit.engine.rank.parent.ControlLine;
import org.rankunit.engine.rank.parent.ParentWatch;

/** Reports to the parent what Jupiter does here. */
final class RankListener implements TestExecutionListener {

    /** The end of this process takes so long that the parent is told how the test has ended. */
    private static final Failure ENDING = new Failure(
            "rankunit",
            "the process of this rank is ending, because of a signal such as SIGTERM or a call of exit by another thread",
            false,
            null,
            null,
            List.of(),
            null,
            List.of());

    private final RankSession session;
    private final ControlLine control;

    /** The names of the streams that could not be flushed. */
    private final Set<String> spoilt = new HashSet<>();

    RankListener(RankSession session, ControlLine control) {
        this.session = session;
        this.control = control;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        session.whereabouts().begin(plan);
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        session.whereabouts().registered(test);
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
        Truncated bound = new Truncated();
        control.send(new FromRank.Registered(
                test.getUniqueId(),
                test.getParentId().orElse(""),
                Limits.cut(test.getDisplayName(), Limits.NAME_CHARS),
                Limits.cut(test.getLegacyReportingName(), Limits.NAME_CHARS),
                test.isTest(),
                className,
                methodName,
                parameterTypes,
                test.getTags().stream()
                        .map(tag -> bound.cut(tag.getName(), Limits.NAME_CHARS))
                        .sorted()
                        .limit(Limits.ENTRIES)
                        .toList()));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        Truncated leftOut = new Truncated();
        Map<String, String> bounded = new LinkedHashMap<>();
        entry.getKeyValuePairs().forEach((key, value) -> {
            if (bounded.size() < Limits.ENTRIES) {
                bounded.put(leftOut.cut(key, Limits.NAME_CHARS), leftOut.cut(value, Limits.MESSAGE_CHARS));
            } else {
                leftOut.add(1, "entries");
            }
        });
        if (!leftOut.toString().isEmpty()) {
            bounded.put("rankunit.left-out", leftOut.toString());
        }
        control.send(new FromRank.Reported(test.getUniqueId(), bounded));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        session.whereabouts().started(test);
        if (test.getParentId().isEmpty()) {
            control.send(new FromRank.Begun());
        }
        // Only one rank reports it, since all have entered together.
        if (session.context().rank() == 0 && session.isEntered(test.getUniqueId())) {
            control.send(new FromRank.Started(test.getUniqueId()));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        session.gaveUp();
        Truncated leftOut = new Truncated();
        ended(test, new RankOutcome.Skipped(leftOut.cut(reason, Limits.MESSAGE_CHARS)), leftOut);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Truncated leftOut = new Truncated();
        ended(test, outcomeOf(session.checked(test, result), leftOut), leftOut);
    }

    /** The last resort for reporting how something ended, when the usual way has failed. */
    void cannotReport(TestIdentifier test, UnreportedException failure) {
        session.failed(failure);
        session.ended(test);
        Truncated leftOut = new Truncated();
        RankConsole.testEnds();
        control.send(new FromRank.Ended(
                test.getUniqueId(),
                new RankOutcome.Failed(Failures.of(failure, leftOut)),
                session.goldens().take(leftOut),
                session.endNanos(),
                session.goldens().takeNanos(),
                leftOut.toString(),
                List.of(),
                List.of(),
                List.of()));
    }

    private RankOutcome outcomeOf(TestExecutionResult result, Truncated leftOut) {
        Optional<Throwable> thrown = result.getThrowable();
        return switch (result.getStatus()) {
            case SUCCESSFUL -> new RankOutcome.Passed();
            case ABORTED -> {
                session.gaveUp();
                yield new RankOutcome.Aborted(failureOf(thrown, leftOut));
            }
            case FAILED -> {
                thrown.ifPresent(session::failed);
                int released = thrown.map(session::releasedBy).orElse(-1);
                Failure failure = failureOf(thrown, leftOut);
                yield released < 0
                        ? new RankOutcome.Failed(
                                failure,
                                "",
                                thrown.map(Failures::deviceError).orElse(0),
                                thrown.map(session::phaseOf).orElse(Phase.RUN))
                        : new RankOutcome.Released(released, failure, session.releasedFrom());
            }
        };
    }

    private static Failure failureOf(Optional<Throwable> thrown, Truncated leftOut) {
        return thrown.map(throwable -> Failures.of(throwable, leftOut))
                .orElseGet(() -> new Failure(
                        "unknown", "no throwable was given", false, null, null, List.of(), null, List.of()));
    }

    private void ended(TestIdentifier test, RankOutcome reached, Truncated leftOut) {
        RankOutcome outcome = ParentWatch.awaitUnwantedEnd() ? new RankOutcome.Failed(ENDING) : reached;
        if (test.getParentId().isEmpty() && !outcome.isFailure()) {
            return;
        }
        session.shaken(test).ifPresent(control::send);
        session.roundsOf(test).ifPresent(control::send);
        session.markEnd(test);
        // All output so far must be in the log before the parent learns that the test has ended.
        flushAll();
        boolean isInside = session.inside().filter(test.getUniqueId()::equals).isPresent();
        leftOut.add(isInside ? session.collectives().leftOut() : 0, "collectives");
        FromRank.Ended end = new FromRank.Ended(
                test.getUniqueId(),
                isNoResult(test, outcome) ? new RankOutcome.NotRun() : outcome,
                session.goldens().take(leftOut),
                session.endNanos(),
                session.goldens().takeNanos(),
                leftOut.toString(),
                session.phasesOf(test),
                session.spansOf(test),
                session.unverified(test));
        if (isInside) {
            // Drawing takes time that is not the test's.
            session.collectives().tell(test.getUniqueId(), control::send);
        }
        RankConsole.testEnds();
        control.send(end);
        session.ended(test);
    }

    /** Both, so that none is left to fail something else that ends later. */
    private void flushAll() {
        try {
            flush("System.out", System.out);
        } catch (RuntimeException | Error broken) {
            try {
                flush("System.err", System.err);
            } catch (RuntimeException | Error alsoBroken) {
                broken.addSuppressed(alsoBroken);
            }
            throw broken;
        }
        flush("System.err", System.err);
    }

    /** A stream that a test has broken is reported as a failure of that test only, and not of all its containers as well. */
    private void flush(String name, @Nullable PrintStream stream) {
        if (!spoilt.add(name)) {
            return;
        }
        if (stream == null) {
            throw new IllegalStateException(name + " is null: the test changed it and must restore it");
        }
        stream.flush();
        spoilt.remove(name);
    }

    /**
     * Whether this test has no result here. Jupiter creates the instance of a test before it asks whether the test may run, and the
     * communicator may already be aborted at that point.
     */
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
