package org.rankunit.engine.rank;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestIdentifier;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.IncompleteExecutionException;
import org.rankunit.CurrentRank;
import org.rankunit.Placement;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.device.DeviceException;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.rank.buffers.LiveRankContext;
import org.rankunit.engine.rank.buffers.TestGoldens;
import org.rankunit.engine.rank.evidence.Evidence;
import org.rankunit.engine.rank.evidence.LeftThreads;
import org.rankunit.engine.rank.evidence.OpenFiles;
import org.rankunit.engine.rank.evidence.PhaseClock;
import org.rankunit.engine.rank.evidence.RankCollectives;
import org.rankunit.engine.rank.evidence.Whereabouts;
import org.rankunit.engine.rank.failure.Failures;
import org.rankunit.engine.rank.failure.GoldenChecks;
import org.rankunit.engine.rank.parent.CommunicatorState;
import org.rankunit.engine.rank.parent.ControlLine;
import org.rankunit.golden.GoldenLog;
import org.rankunit.golden.GoldenSummary;

/** What this rank does around each test: it waits for the others, lays out the buffers, and collects the golden checks. */
final class RankSession implements CurrentRank.Session, GoldenLog.Sink {

    /** In the ids of the tests that a factory makes. */
    private static final String DYNAMIC = "[dynamic-";

    private final LiveRankContext context;
    private final ControlLine control;
    private final CommunicatorState communicator;
    private final PhaseClock phases;
    private final Whereabouts whereabouts = new Whereabouts();
    private final OpenFiles files = new OpenFiles();
    private final LeftThreads threads = new LeftThreads();
    private final GoldenChecks goldens = new GoldenChecks();
    private final boolean skipsGoldens;
    private final RankRounds rounds;
    private final RankCollectives collectives;
    private final Map<String, TestSelection> tests = new TreeMap<>();
    private TestEntry last = TestEntry.NONE;
    /** Whether something has failed on this rank, whose group runs no further tests then. */
    private boolean hasFailure;

    private @Nullable String inside;
    /** What was decided while the running test was shaken, until the parent knows it. */
    private FromRank.@Nullable Shaken shaken;

    private @Nullable TestSelection openTest;
    /** Those of the running invocation, if its model depends on its arguments. */
    private @Nullable TestGoldens invocationGoldens;

    private long failedNanos;
    private RankHealth health = RankHealth.SOUND;
    private @Nullable Throwable firstFailure;

    RankSession(
            LiveRankContext context,
            ControlLine control,
            CommunicatorState communicator,
            PhaseClock phases,
            boolean skipsGoldens) {
        this.context = context;
        this.control = control;
        this.communicator = communicator;
        this.phases = phases;
        this.skipsGoldens = skipsGoldens;
        this.rounds = new RankRounds(context, phases, goldens, this::reset);
        this.collectives = new RankCollectives(context.rank());
        communicator.signAborts(threads::signed);
    }

    /** Prepare for the tests of one order. */
    void expect(List<TestSelection> selections) {
        tests.clear();
        selections.forEach(selection -> tests.put(selection.uniqueId(), selection));
        last = TestEntry.NONE;
    }

    /** Release the buffers of the last test. */
    void finish() {
        openTest = null;
        context.closeTest();
    }

    @Override
    public RankContext context() {
        return context;
    }

    @Override
    public boolean mayRun(String uniqueId) {
        if (last.isOf(uniqueId)) {
            return last.isEntered();
        }
        last = new TestEntry(uniqueId, TestEntry.Answer.NONE);
        failedNanos = 0;
        phases.asks();
        // The tests of a factory cannot be told apart before it runs, so they stay together.
        boolean enters = (uniqueId.contains(DYNAMIC) || !tellIfUnfit()) && enter(uniqueId);
        last = new TestEntry(uniqueId, enters ? TestEntry.Answer.ENTERED : TestEntry.Answer.REFUSED);
        if (enters) {
            inside = uniqueId;
            invocationGoldens = null;
            threads.testBegins();
            context.markTestBegin(uniqueId);
            TestSelection selection = selectionOf(uniqueId);
            rounds.enter(selection == null ? null : selection.declaration().rounds());
            collectives.enter();
            phases.enters();
            context.beginShaking();
            move(RankHealth.SOUND);
        }
        return enters;
    }

    /** The only method that changes the state. A transition that is not listed in {@link RankHealth} has no effect. */
    private void move(RankHealth next) {
        health = health.mayBecome(next) ? next : health;
    }

    /**
     * Ranks may use each other's windows until all of them have left the previous test, so a window is filled only then, and no rank
     * enters the test before all windows are filled. Only the rank itself uses its other memory, for which no other rank waits.
     */
    private boolean enter(String uniqueId) {
        TestSelection selection = selectionOf(uniqueId);
        whereabouts.asks(uniqueId, "");
        if (selection != null && !isOpen(selection, uniqueId)) {
            if (usesWindows(selection) && !meet(uniqueId, selection.buffers().size())) {
                return false;
            }
            openBuffers(uniqueId, selection);
        }
        return meet(uniqueId, selection == null ? 0 : context.bufferCount());
    }

    private boolean meet(String uniqueId, int buffers) {
        return phases.in(Phase.BARRIER, () -> control.enter(uniqueId, buffers));
    }

    private static boolean usesWindows(TestSelection selection) {
        return selection.declaration().syncPrefix() > 0
                || selection.buffers().stream()
                        .anyMatch(buffer -> buffer.placement().equals(Placement.WINDOW.name()));
    }

    /** The dynamic tests of a factory share its buffers; every other test gets its own, filled with zeros. */
    private boolean isOpen(TestSelection selection, String uniqueId) {
        TestSelection open = openTest;
        // Compared by id, because the first comparison of two whole records costs a rank about ten milliseconds.
        return open != null && open.uniqueId().equals(selection.uniqueId()) && uniqueId.contains(DYNAMIC);
    }

    private void openBuffers(String uniqueId, TestSelection selection) {
        openTest = selection;
        whereabouts.asks(uniqueId, "filling the buffers of the test with zeros");
        open(selection);
        load(selection);
        whereabouts.asks(uniqueId, "");
    }

    /** A test without buffers has nothing to bring up, but those of the test before expire. */
    private void open(TestSelection selection) {
        if (selection.buffers().isEmpty() && selection.declaration().syncPrefix() == 0) {
            context.openTest(selection);
        } else {
            phases.in(Phase.BRING_UP, () -> context.openTest(selection));
        }
    }

    private void load(TestSelection selection) {
        if (selection.goldens() != null) {
            whereabouts.asks(selection.uniqueId(), "loading the inputs of the test");
            phases.in(Phase.PREPARE_DATA, TestGoldens.inFiles(selection, context)::load);
        }
    }

    private void reset() {
        phases.in(Phase.BRING_UP, context::resetBuffers);
        if (openTest != null) {
            load(openTest);
        }
    }

    private @Nullable TestSelection selectionOf(String uniqueId) {
        TestSelection exact = tests.get(uniqueId);
        if (exact != null) {
            return exact;
        }
        for (TestSelection each : tests.values()) {
            if (uniqueId.startsWith(each.uniqueId() + "/")) {
                return each;
            }
        }
        return null;
    }

    /**
     * Tell the parent if this rank can run no further test: its communicator can no longer be used, tests have left too many files
     * open, or its record is filling up. Returns whether that is so.
     *
     * What broke the communicator is not known here: it may be a thread that a test has left behind, or user code that is called
     * outside of test methods.
     */
    boolean tellIfUnfit() {
        Optional<String> why = whyUnfit();
        why.ifPresent(text -> control.send(new FromRank.Unfit(text)));
        return why.isPresent();
    }

    /** Tell the parent that this rank can run no further test. */
    void unfit(String why) {
        control.send(new FromRank.Unfit("rank " + context.rank() + ": " + why));
    }

    private Optional<String> whyUnfit() {
        String self = "rank " + context.rank();
        if (communicator.isClosed()) {
            return Optional.of(self + " found its communicator closed");
        }
        Optional<String> aborted = hasFailed() || control.isReleased() ? Optional.empty() : communicator.abortedHere();
        if (aborted.isPresent()) {
            return aborted.map(why -> self + " found its communicator aborted: " + why);
        }
        Optional<String> files = this.files.whyUnfit();
        if (files.isPresent()) {
            return files.map(why -> self + " " + why);
        }
        return context.needsNewRecord()
                ? Optional.of(
                        "the record of " + self + " is more than half full, and the next test must have room in one")
                : Optional.empty();
    }

    @Override
    public void instanceCreated() {
        whereabouts.instanceCreated();
    }

    @Override
    public void beginTest() {
        if (context.windowsMayBeCopies()) {
            context.barrier();
        }
    }

    @Override
    public boolean isSound() {
        return !communicator.isClosed() && communicator.abortedHere().isEmpty();
    }

    @Override
    public void requireSound() {
        if (communicator.isClosed()) {
            throw new IllegalStateException("the communicator of this rank was closed, so no further test could use it."
                    + " Close only domains; RankUnit closes the communicator.");
        }
        communicator.abortedHere().filter(why -> !mayBeReleased()).ifPresent(why -> {
            throw new IllegalStateException(
                    "this rank has left its communicator aborted, so no further test could use it: " + why
                            + ". Do not abort it, and do not catch the exception of a failed wait.");
        });
    }

    @Override
    public int rounds() {
        return rounds.total();
    }

    @Override
    public void beginRound() {
        rounds.begin();
    }

    @Override
    public void endRound() {
        rounds.end();
    }

    @Override
    public void failed(Throwable cause) {
        // An assumption is not a failure, and a rank that was released is not the first to fail.
        if (!(cause instanceof IncompleteExecutionException) && releasedBy(cause) < 0) {
            failedNanos = failedNanos == 0 ? System.nanoTime() : failedNanos;
            boolean isFirst = !hasFailed();
            if (isFirst) {
                firstFailure = cause;
            }
            move(RankHealth.FAILED);
            try {
                if (isFirst && Failures.isLateCommunication(cause)) {
                    // The parent asks the other ranks immediately, before they move on from what released them.
                    control.send(Evidence.show(Thread.currentThread(), communicator.operations()));
                }
            } finally {
                communicator.abort(context.rank(), Failures.headline(cause));
            }
        }
    }

    /** Record that this rank left something by an assumption or a condition. The others may be released because of it. */
    void gaveUp() {
        move(RankHealth.GAVE_UP);
    }

    /**
     * The rank because of which this one was released, or -1 if this throwable is a failure of its own. It may be this rank itself:
     * once it has failed or given up, its clean-up finds that the communicator was aborted because of that. Its first failure stays
     * its own, whenever this is asked: that may be a wait in a communicator that a thread of this rank has aborted.
     */
    int releasedBy(Throwable cause) {
        if (cause == firstFailure) {
            return -1;
        }
        int inCommunicator = Failures.releasedBy(cause);
        int rank = inCommunicator < 0 && Failures.isAbortedDevice(cause) ? communicator.abortedBy() : inCommunicator;
        return rank == context.rank() && !mayBeReleased() ? -1 : rank;
    }

    private boolean hasFailed() {
        return health == RankHealth.FAILED;
    }

    /** Whether there is a legitimate reason for its communicator to be aborted. */
    private boolean mayBeReleased() {
        return health != RankHealth.SOUND || control.isReleased();
    }

    /** The last operation of the communicator that another rank's failure ended here, or an empty string. */
    String releasedFrom() {
        return Evidence.lastReleased(communicator.operations());
    }

    /** The golden checks of the running test. */
    GoldenChecks goldens() {
        return goldens;
    }

    /** The collectives of the running test. */
    RankCollectives collectives() {
        return collectives;
    }

    @Override
    public void bodyBegins(String uniqueId, List<@Nullable Object> arguments) {
        TestSelection open = openTest;
        if (open == null || !TestGoldens.arePerInvocation(open)) {
            return;
        }
        TestGoldens own = invocationGoldens;
        if (own == null) {
            own = TestGoldens.ofInvocation(open, context, arguments);
        }
        invocationGoldens = own;
        whereabouts.asks(uniqueId, "computing the golden model of the test");
        phases.in(Phase.PREPARE_DATA, own::load);
        if (context.hasCommunicator()) {
            whereabouts.asks(uniqueId, "waiting for the golden models of the other ranks");
            own.awaitOthers();
        }
    }

    @Override
    public void bodyEnded(String uniqueId) {
        TestSelection open = openTest;
        if (open != null && open.goldens() != null) {
            TestGoldens computed = invocationGoldens;
            TestGoldens own = computed == null ? TestGoldens.inFiles(open, context) : computed;
            if (skipsGoldens) {
                own.skip(buffer -> {
                    verifies(buffer);
                    verified(GoldenSummary.notVerified(buffer.name(), buffer.type(), buffer.count()), 0);
                });
            } else {
                own.finish(uniqueId, this::verifies);
            }
        }
    }

    /** A golden check has ended. */
    @Override
    public void verified(GoldenSummary summary, long nanos) {
        goldens.add(summary, nanos);
        phases.add(Phase.VERIFY, nanos);
    }

    /**
     * A test that has passed fails if work that it has left on streams fails, or does not end; if memory behind its buffers was
     * overwritten; or if it was to be shaken and was not. So does a container, whose methods may have left work too, unless a test in it has failed.
     */
    TestExecutionResult checked(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        hasFailure |= result.getStatus() == TestExecutionResult.Status.FAILED;
        if (!passed || !(isInside(test) || mayHaveLeftWork(test))) {
            return result;
        }
        try {
            whereabouts.asks(test.getUniqueId(), "waiting for the work that the test has left on its streams");
            context.device().settle();
            if (isInside(test)) {
                context.checkShaking();
            }
            endShaking(test);
            List<String> overruns = context.overruns();
            if (overruns.isEmpty()) {
                return result;
            }
            // The guard stays overwritten, and the class would fail for it a second time.
            hasFailure = true;
            return TestExecutionResult.failed(new AssertionFailedError(String.join("\n", overruns)));
        } catch (DeviceException | IllegalStateException e) {
            hasFailure = true;
            return TestExecutionResult.failed(e);
        }
    }

    /** Before anything is read that a test which fails does not read: its decisions would else be others. */
    private void endShaking(TestIdentifier test) {
        if (isInside(test)) {
            context.endShaking(test.getUniqueId()).ifPresent(ended -> shaken = ended);
        }
    }

    private boolean mayHaveLeftWork(TestIdentifier test) {
        return test.isContainer() && test.getParentId().isPresent() && !hasFailure;
    }

    /** The outputs that a test should have compared with goldens and has not; the tests of a factory share theirs. */
    List<String> unverified(TestIdentifier test) {
        Set<String> verified = goldens.takeBuffers();
        return !isInside(test) || test.getUniqueId().contains(DYNAMIC)
                ? List.of()
                : context.outputs().stream()
                        .filter(name -> !verified.contains(name))
                        .toList();
    }

    private boolean isInside(TestIdentifier test) {
        return test.getUniqueId().equals(inside);
    }

    /** The phases of a test that is about to be reported; empty for a container, or for a test that was not entered. */
    List<Phase.Time> phasesOf(TestIdentifier test) {
        return isInside(test) ? phases.ends() : List.of();
    }

    /** When the phases were of a test whose {@link #phasesOf} are known; empty for a container. */
    List<Phase.Span> spansOf(TestIdentifier test) {
        return isInside(test) ? phases.spans() : List.of();
    }

    @Override
    public boolean skips() {
        return skipsGoldens;
    }

    @Override
    public void verifies(RankBuffer buffer) {
        goldens.addBuffer(buffer.name());
    }

    /** The phase in which this was thrown. */
    Phase phaseOf(Throwable thrown) {
        return phases.of(thrown);
    }

    /** Where this rank is in its tests. */
    Whereabouts whereabouts() {
        return whereabouts;
    }

    /** When the running test first failed here, or the current time if it did not. */
    long endNanos() {
        return failedNanos == 0 ? System.nanoTime() : failedNanos;
    }

    /** Mark the end of a test before the parent learns of it, since the parent then reads the record of events. */
    void markEnd(TestIdentifier test) {
        if (isInside(test)) {
            context.markTestEnd(test.getUniqueId());
        }
    }

    /** What was decided while a test that has ended was shaken; the parent learns of it before the end. */
    Optional<FromRank.Shaken> shaken(TestIdentifier test) {
        endShaking(test);
        FromRank.Shaken ended = shaken;
        shaken = null;
        return Optional.ofNullable(ended);
    }

    /** The rounds of a test that has ended; the parent learns of them before the end. */
    Optional<FromRank.Rounds> roundsOf(TestIdentifier test) {
        return isInside(test) ? rounds.taken(test.getUniqueId()) : Optional.empty();
    }

    /** Record that a test or container has ended here. */
    void ended(TestIdentifier test) {
        files.ended(titleOf(test));
        if (isInside(test)) {
            List<Integer> left = threads.testEnded(titleOf(test));
            if (!left.isEmpty()) {
                control.send(new FromRank.ThreadsLeft(titleOf(test), left));
            }
        }
        inside = isInside(test) ? null : inside;
        whereabouts.ended(test);
    }

    /** Name a test as its parent does, or a container as JUnit does. */
    private String titleOf(TestIdentifier test) {
        TestSelection selection = selectionOf(test.getUniqueId());
        return selection == null
                ? "the lifecycle of " + test.getDisplayName()
                : selection.declaration().place();
    }

    /** The test that was entered last, if it has not ended. */
    Optional<String> inside() {
        return Optional.ofNullable(inside);
    }

    /** Whether this is the test that was entered last. */
    boolean isEntered(String uniqueId) {
        return last.isOf(uniqueId) && last.isEntered();
    }

    /** Whether this test, or one inside it, has asked to run. */
    boolean hasAsked(String uniqueId) {
        return last.isWithin(uniqueId);
    }

    /** Whether this test asked to run and was refused. */
    boolean wasRefused(String uniqueId) {
        return last.isOf(uniqueId) && last.isRefused();
    }
}
