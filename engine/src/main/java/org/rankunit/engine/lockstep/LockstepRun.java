package org.rankunit.engine.lockstep;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.control.TestSelection;
import org.rankunit.engine.control.ToRank;
import org.rankunit.engine.group.GroupSpec;
import org.rankunit.engine.hang.DeadlockWatch;
import org.rankunit.engine.hang.Inquiry;
import org.rankunit.engine.hang.LateWait;
import org.rankunit.engine.link.InterruptedGroupException;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.slf4j.LoggerFactory;

/**
 * One run of tests on a group: all ranks enter each test together, or not at all.
 *
 * <p>Test k+1 starts on no rank before test k has ended on all, because a rank asks to enter the next test only after the
 * last one, and nobody may enter before all have asked for the same one. From the first failure on nobody enters any
 * further test: the ranks only run their clean-up and come to the end. The same holds once the ranks have parted, because
 * some left a test by an assumption or a condition that held on them alone.
 */
public final class LockstepRun {

    /**
     * How long after one rank left a test by an assumption or a condition the others may go on in it, before they are
     * released: long enough for ranks that all leave it alike, and short for one that waits for the one that left.
     */
    private static final Duration PARTING_GRACE = Duration.ofSeconds(1);

    private final RankLinks links;
    private final GroupSpec spec;
    private final TestsToRun tests;
    private final RankEvents events;
    private final GroupProgress ranks;
    private final EarlyExits departures;
    private final GivenUp givenUp;
    private final DeadlockWatch watch;
    private boolean stopped;

    /** The rank that left what others did not, or -1. */
    private int leaver = -1;

    /** The rank because of which the others were released, or -1. */
    private int blamed = -1;

    private long deadline;

    /** What the deadline stands for. */
    private TestsToRun.Limit limit;

    private final LateWait late = new LateWait();

    /** What each rank had printed last before it was asked anything, since what it then prints is our own. */
    private final Map<RankLink, String> tails = new LinkedHashMap<>();

    public LockstepRun(RankLinks links, GroupSpec spec, List<TestSelection> tests, RankEvents events) {
        this.links = links;
        this.spec = spec;
        this.tests = new TestsToRun(tests, spec.testTimeout());
        this.limit = this.tests.usualLimit();
        this.events = events;
        this.ranks = new GroupProgress(links.all());
        this.departures = new EarlyExits(ranks.size());
        this.givenUp = new GivenUp(links, spec);
        this.watch = new DeadlockWatch(links);
    }

    /** Returns true if nothing failed. */
    public boolean run() throws IOException {
        links.all().forEach(link -> links.send(link, new ToRank.RunTests(tests.selections())));
        allow(tests.startLimit(spec.bootstrapTimeout()));
        while (ranks.isUnfinished() || (!stopped && watch.isAwaitingAnswers())) {
            Optional<String> left = stopped || departures.areNone()
                    ? Optional.empty()
                    : departures.firstLeft(
                            id -> ranks.heldBy(id, departures).findAny().isPresent());
            long grace = left.map(this::endOfGrace).orElse(deadline);
            long look = stopped || left.isPresent() || watch.isAwaitingAnswers() ? deadline : watch.nextLook();
            RankSignal signal = links.next(Math.min(deadline, Math.min(grace, look)));
            if (signal != null) {
                handle(signal, ranks.of(signal.link()));
            } else if (left.isPresent() && grace < deadline) {
                part(left.get());
            } else if (look < deadline) {
                watch.look(ranks.outside());
            } else {
                giveUp();
            }
        }
        return !stopped;
    }

    /** Until when ranks may stay where another one has left them: it counts from when both had happened. */
    private long endOfGrace(String uniqueId) {
        long held = ranks.heldBy(uniqueId, departures)
                .mapToLong(p -> p.cameThere)
                .max()
                .orElse(0);
        return Math.max(held, departures.leftAt(uniqueId)) + PARTING_GRACE.toNanos();
    }

    private void handle(RankSignal signal, Progress progress) throws IOException {
        RankLink link = signal.link();
        if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.Seen seen) {
            if (!stopped && watch.heard(link, seen)) {
                // They are released now, and not when their time is over.
                stop(watch.awaited(), "this wait would never have come to an end");
            }
            return;
        }
        watch.disturbed(signal);
        if (signal instanceof RankSignal.Gone gone) {
            lost(
                    link,
                    progress,
                    new RankOutcome.Died(
                            "on device " + link.device() + " " + link.describe(gone.status()), link.lastWords()));
        } else if (signal instanceof RankSignal.Lost lost) {
            giveUp(link, progress, lost.why());
        } else if (signal instanceof RankSignal.Said said) {
            heardOrLost(link, progress, said.message());
        }
    }

    /** A rank that is of no more use. */
    private void giveUp(RankLink link, Progress progress, String why) {
        if (!progress.finished) {
            link.process().destroyForcibly();
            lost(
                    link,
                    progress,
                    new RankOutcome.Died(
                            "on device " + link.device() + " " + why + " and was ended",
                            link.log().tail()));
        }
    }

    /** What one rank says must not take down the run: it may tell of tests that cannot be. */
    private void heardOrLost(RankLink link, Progress progress, FromRank message) throws IOException {
        try {
            heard(link, progress, message);
        } catch (InterruptedGroupException e) {
            throw e;
        } catch (RuntimeException e) {
            String kind = message.getClass().getSimpleName();
            LoggerFactory.getLogger(LockstepRun.class).warn("{} said {}", link.describe(), kind, e);
            giveUp(link, progress, "said what cannot be (" + kind + "): " + e.getMessage());
        }
    }

    private void heard(RankLink link, Progress progress, FromRank message) throws IOException {
        if (message instanceof FromRank.Entering entering) {
            entering(link, progress, entering);
        } else if (message instanceof FromRank.Ended ended) {
            progress.inside.remove(ended.uniqueId());
            progress.moved();
            departures.ended(ended.uniqueId(), link.rank(), ended.outcome());
            events.ended(link.rank(), watch.explain(link, late.explain(link, ended)));
            if (ended.outcome() instanceof RankOutcome.Failed failed && failed.deviceError() != 0) {
                link.suspect("failed with " + VendorErrors.describe(failed.deviceError()));
            }
            if (ended.outcome().isFailure()) {
                stop(link.rank(), "rank " + link.rank() + " failed in " + ended.uniqueId());
            } else if (!stopped && ranks.allAreOutsideOfTests()) {
                allow(tests.usualLimit());
            }
        } else if (message instanceof FromRank.Begun) {
            progress.begun = true;
            if (!stopped && ranks.allHaveBegun()) {
                allow(tests.usualLimit());
            }
        } else if (message instanceof FromRank.Started started) {
            events.started(link.rank(), started.uniqueId());
        } else if (message instanceof FromRank.Registered registered) {
            events.registered(link.rank(), registered);
        } else if (message instanceof FromRank.Reported reported) {
            events.reported(link.rank(), reported);
        } else if (message instanceof FromRank.Evidence evidence) {
            gaveUpWaiting(link, evidence);
        } else if (message instanceof FromRank.KernelLate late) {
            kernelIsLate(link, progress, late.kernel());
        } else if (message instanceof FromRank.Unfit unfit && !stopped) {
            events.unfit(unfit.why());
            stop(link.rank(), unfit.why());
        } else if (message instanceof FromRank.RunEnded) {
            runEnded(link, progress);
        }
    }

    /** What a rank was still inside of then it has failed to report: that is lost with the rank, and nothing else. */
    private void runEnded(RankLink link, Progress progress) {
        progress.finished = true;
        if (!progress.inside.isEmpty()) {
            end(
                    link,
                    progress,
                    new RankOutcome.Unfinished(
                            "came to the end of all its tests without a report of how this one ended",
                            link.log().tail()),
                    "");
            stop(link.rank(), "rank " + link.rank() + " did not report how a test ended");
        }
        meet();
    }

    private void entering(RankLink link, Progress progress, FromRank.Entering entering) {
        progress.moved();
        progress.waitsFor = entering.uniqueId();
        int asked = tests.buffers(entering.uniqueId());
        if (asked != entering.buffers()) {
            RankOutcome failed = new RankOutcome.Died(
                    "on device " + link.device() + " published " + entering.buffers() + " buffers where " + asked
                            + " were asked for",
                    "");
            progress.inside.add(entering.uniqueId());
            lost(link, progress, failed);
            link.process().destroyForcibly();
        }
        meet();
    }

    private void allow(TestsToRun.Limit next) {
        limit = next;
        deadline = spec.session()
                .cap(System.nanoTime() + spec.patience(next.timeout()).toNanos());
    }

    /** Let all ranks enter together once all wait; send them past their tests once the run is stopped. */
    private void meet() {
        if (stopped) {
            ranks.forEach((link, progress) -> answer(link, progress, false));
            return;
        }
        if (!ranks.allHaveMet()) {
            return;
        }
        Set<@Nullable String> next = ranks.awaited();
        if (next.size() > 1) {
            disagreed();
            return;
        }
        String test = next.iterator().next();
        if (test != null) {
            boolean run = events.entered(test);
            allow(tests.limit(test));
            ranks.forEach((link, progress) -> answer(link, progress, run));
        }
    }

    private void answer(RankLink link, Progress progress, boolean run) {
        String test = progress.waitsFor;
        if (test == null) {
            return;
        }
        progress.waitsFor = null;
        if (run) {
            progress.inside.add(test);
        }
        progress.moved();
        links.send(link, new ToRank.Enter(test, run));
    }

    private void disagreed() {
        Optional<String> left = departures.firstLeft(ranks::isAwaited);
        if (left.isPresent()) {
            part(left.get());
            return;
        }
        Set<String> ofSomeRanks = events.disagreed(ranks.awaitedByRank());
        if (!ofSomeRanks.isEmpty()) {
            ranks.forEach((link, progress) -> {
                if (progress.waitsFor != null && ofSomeRanks.contains(progress.waitsFor)) {
                    answer(link, progress, false);
                }
            });
            return;
        }
        // Nobody is to blame; but the ranks' clean-up may wait for one that is at its end, and needs somebody to name.
        stop(ranks.firstFinished(), "the ranks are about to run different tests");
    }

    /** Some ranks have left this, and the others will not: these are released, since nobody will come to meet them there. */
    private void part(String uniqueId) {
        leaver = departures.leaver(uniqueId);
        events.parted(uniqueId);
        stop(leaver, "rank " + leaver + " gave up in " + uniqueId);
    }

    /** From now on only clean-up runs, and that must come to an end. */
    private void stop(int because, String reason) {
        if (stopped) {
            return;
        }
        stopped = true;
        blamed = because;
        deadline = Math.min(
                deadline,
                System.nanoTime() + spec.patience(givenUp.releaseGrace()).toNanos());
        ranks.forEach((link, progress) -> {
            if (!progress.finished) {
                links.send(link, new ToRank.Release(because, reason));
            }
        });
        meet();
    }

    private void lost(RankLink link, Progress progress, RankOutcome outcome) {
        lost(link, progress, outcome, "the process of rank " + link.rank() + " ended");
    }

    private void lost(RankLink link, Progress progress, RankOutcome outcome, String reason) {
        if (progress.finished) {
            // It ended between two runs; whoever wants to use the group next will see that it is not sound.
            return;
        }
        progress.finished = true;
        progress.waitsFor = null;
        boolean isHang = outcome instanceof RankOutcome.Unfinished && !stopped;
        end(link, progress, outcome, isHang ? ranks.placeOutside(progress) : "");
        stop(link.rank(), reason);
        meet();
    }

    /**
     * The tests a rank was inside of, innermost first, share its end.
     *
     * @param outside where it was if it was inside of none; empty if that is not known or does not count
     */
    private void end(RankLink link, Progress progress, RankOutcome outcome, String outside) {
        List<String> inside = new ArrayList<>(progress.inside);
        progress.inside.clear();
        if (inside.isEmpty() && outside.isEmpty()) {
            events.endedOutsideTests(link.rank(), outcome);
        } else if (inside.isEmpty()) {
            inside.add(outside);
        }
        Collections.reverse(inside);
        for (String test : inside) {
            events.ended(link.rank(), new FromRank.Ended(test, outcome, List.of(), System.nanoTime(), 0));
        }
    }

    /** The deadline has passed: whoever has not come to the end is asked where it is, and given up. */
    private void giveUp() throws IOException {
        boolean wasReleased = stopped;
        stopped = true;
        Inquiry inquiry = new Inquiry(links);
        List<RankSignal> meanwhile = ask(inquiry);
        for (RankSignal signal : meanwhile) {
            handle(signal, ranks.of(signal.link()));
        }
        String everywhere = watch.deadlock().orElseGet(() -> inquiry.standstill(ranks.outside()));
        ranks.forEach((link, progress) -> {
            if (!progress.finished) {
                progress.finished = true;
                String why = givenUp.why(progress, wasReleased, limit) + inquiry.whereIs(link);
                link.process().destroyForcibly();
                if (progress.waitsFor == null || !progress.inside.isEmpty()) {
                    RankOutcome outcome = givenUp(link, why, tails.getOrDefault(link, ""), everywhere);
                    end(link, progress, outcome, wasReleased ? "" : ranks.placeOutside(progress));
                }
            }
        });
    }

    /**
     * Ask all ranks, also one that has come to the end: it may have been released from what the others are in, and told so before
     * anybody was asked. Returns what else happened meanwhile.
     */
    private List<RankSignal> ask(Inquiry inquiry) throws IOException {
        links.all().forEach(link -> tails.putIfAbsent(link, link.log().tail()));
        List<RankSignal> meanwhile = new ArrayList<>();
        inquiry.ask(ranks.withChannel(), signal -> {
            if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.Whereabouts place) {
                ranks.of(signal.link()).whereabouts = place;
            } else {
                meanwhile.add(signal);
            }
        });
        return meanwhile;
    }

    /**
     * A wait in the communicator has ended by its own time-out: where the others are is known now, and soon no more. Those
     * that it released may have said so before it did.
     */
    private void gaveUpWaiting(RankLink link, FromRank.Evidence evidence) throws IOException {
        if (late.isKnown()) {
            return;
        }
        late.of(link);
        Inquiry inquiry = new Inquiry(links);
        inquiry.heard(link, evidence);
        List<RankSignal> meanwhile = ask(inquiry);
        late.heldBy(inquiry.standstill(ranks.outside()));
        for (RankSignal signal : meanwhile) {
            handle(signal, ranks.of(signal.link()));
        }
    }

    /** A kernel cannot be ended: all that is left is to ask where everybody is, and to give its rank up. */
    private void kernelIsLate(RankLink link, Progress progress, String kernel) throws IOException {
        if (progress.finished) {
            return;
        }
        Inquiry inquiry = new Inquiry(links);
        List<RankSignal> meanwhile = ask(inquiry);
        String why = "kernel '" + kernel + "' had not ended after "
                + spec.deviceTimeout().toMillis() + " ms (" + ConfigKey.DEVICE_TIMEOUT.key()
                + "), and was ended with its rank";
        RankOutcome outcome = new RankOutcome.Unfinished(
                why + inquiry.whereIs(link), tails.getOrDefault(link, ""), inquiry.standstill(ranks.outside()));
        link.suspect(why);
        link.process().destroyForcibly();
        lost(link, progress, outcome, why);
        for (RankSignal signal : meanwhile) {
            handle(signal, ranks.of(signal.link()));
        }
    }

    /** The others have left it alone, or failed where no communicator could release it: or else it hangs by itself. */
    private RankOutcome givenUp(RankLink link, String why, String tail, String everywhere) {
        int awaited = leaver < 0 && watch.deadlock().isEmpty() && !link.wakeable() ? blamed : leaver;
        return awaited < 0 || awaited == link.rank()
                ? new RankOutcome.Unfinished(why, tail, everywhere)
                : GivenUp.released(awaited, why);
    }
}
