package org.rankunit.engine.lockstep;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.hang.DeadlockWatch;
import org.rankunit.engine.hang.Standstill;
import org.rankunit.engine.launch.crash.KernelCode;
import org.rankunit.engine.link.InterruptedGroupException;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.ToRank;
import org.slf4j.LoggerFactory;

/**
 * One run of tests on a group: all ranks enter each test together, or not at all.
 *
 * <p>Test k+1 starts on no rank before test k has ended on all, because a rank asks to enter the next test only after the last one
 * has ended, and no rank may enter before all have asked for the same test. After the first failure no rank enters another test:
 * the ranks only run their clean-up and finish. So it is once some have left a test by an assumption or a condition alone.
 *
 * <p>This class passes on the signals of the ranks: {@link RankProgress} holds where each rank is, {@link RunControl} decides
 * whether the run continues, {@link EntryBarrier} lets ranks enter, and {@link Inquiries} asks where they are.
 */
public final class LockstepRun {

    private final RankLinks links;
    private final TimeLimits limits;
    private final TestsToRun tests;
    private final RankEvents events;
    private final GroupProgress ranks;
    private final EarlyExits exits;
    private final RunControl control;
    private final EntryBarrier meeting;
    private final Inquiries inquiries;
    private final DeadlockWatch watch;

    public LockstepRun(RankLinks links, TimeLimits limits, List<TestSelection> selections, RankEvents events) {
        this.links = links;
        this.limits = limits;
        this.tests = new TestsToRun(selections, limits.test());
        this.events = events;
        this.ranks = new GroupProgress(links.all());
        this.exits = new EarlyExits(ranks.size());
        this.control = new RunControl(links, ranks, limits, tests.startLimit(limits.bootstrap()));
        this.meeting = new EntryBarrier(links, ranks, tests, exits, events, control);
        this.inquiries = new Inquiries(links, ranks);
        this.watch = new DeadlockWatch(links);
    }

    /** Returns true if nothing failed. */
    public boolean run() throws IOException {
        links.all().forEach(link -> links.send(link, new ToRank.RunTests(tests.selections())));
        control.allow(tests.startLimit(limits.bootstrap()));
        while (ranks.isUnfinished() || (!control.isStopped() && watch.isAwaitingAnswers())) {
            Optional<String> left = meeting.heldUp();
            long deadline = control.deadline();
            long grace = left.map(meeting::endOfGrace).orElse(deadline);
            boolean looks = !control.isStopped() && left.isEmpty() && !watch.isAwaitingAnswers();
            long look = looks ? watch.nextLook() : deadline;
            RankSignal signal = links.next(Math.min(deadline, Math.min(grace, look)));
            if (signal != null) {
                handle(signal);
            } else if (left.isPresent() && grace < deadline) {
                meeting.part(left.get());
            } else if (look < deadline) {
                watch.look(ranks.outside());
            } else {
                timeIsOver();
            }
        }
        return !control.isStopped();
    }

    private void handle(RankSignal signal) throws IOException {
        signal.accept(new Signals(ranks.of(signal.link())));
    }

    private void handleAll(List<RankSignal> signals) throws IOException {
        for (RankSignal signal : signals) {
            handle(signal);
        }
    }

    /** Handles what happened to one rank. */
    private final class Signals implements RankSignal.Visitor<IOException> {

        private final RankProgress progress;

        Signals(RankProgress progress) {
            this.progress = progress;
        }

        @Override
        public void said(RankSignal.Said said) throws IOException {
            if (!(said.message() instanceof FromRank.Seen)) {
                watch.disturbed(said);
            }
            heardOrLost(said.link(), progress, said.message());
        }

        /** The rank is as good as dead, so the others are released now. How its process ended is reported later. */
        @Override
        public void hungUp(RankSignal.HungUp hungUp) {
            watch.disturbed(hungUp);
            if (!progress.isFinished()) {
                progress.hangUp(hungUp.why());
                meeting.release(hungUp.link().rank(), processEnded(hungUp.link()));
            }
        }

        @Override
        public void gone(RankSignal.Gone gone) {
            watch.disturbed(gone);
            RankLink link = gone.link();
            String how = link.process().explain(gone.status()) + link.leftThreadThatEndedIt();
            lose(link, progress, died(link, how, link.process().lastWords()), processEnded(link));
        }

        @Override
        public void lost(RankSignal.Lost lost) {
            watch.disturbed(lost);
            giveUp(lost.link(), progress, lost.why());
        }
    }

    private static RankOutcome died(RankLink link, String how, String lastWords) {
        return new RankOutcome.Died("on " + link.device().describe() + " " + how, lastWords);
    }

    private static String processEnded(RankLink link) {
        return "the process of rank " + link.rank() + " ended";
    }

    /** End a rank that can no longer be used. */
    private void giveUp(RankLink link, RankProgress progress, String why) {
        if (!progress.isFinished()) {
            link.kill(why + " and was ended");
            lose(link, progress, died(link, why + " and was ended", link.log().tail()), processEnded(link));
        }
    }

    /** A message of one rank must not abort the run, even if it refers to tests that do not exist. */
    private void heardOrLost(RankLink link, RankProgress progress, FromRank message) throws IOException {
        try {
            message.accept(new Messages(link, progress));
        } catch (InterruptedGroupException e) {
            throw e;
        } catch (RuntimeException e) {
            String kind = message.getClass().getSimpleName();
            LoggerFactory.getLogger(LockstepRun.class).warn("{} said {}", link.describe(), kind, e);
            giveUp(link, progress, "sent an invalid message (" + kind + "): " + e.getMessage());
        }
    }

    /** Handles the messages of one rank. */
    private final class Messages implements FromRank.Visitor<IOException> {

        private final RankLink link;
        private final RankProgress progress;

        Messages(RankLink link, RankProgress progress) {
            this.link = link;
            this.progress = progress;
        }

        @Override
        public void begun(FromRank.Begun message) {
            progress.begin();
            if (!control.isStopped() && ranks.allHaveBegun()) {
                control.allow(tests.usualLimit());
            }
        }

        @Override
        public void threadsLeft(FromRank.ThreadsLeft message) {
            link.threadsLeft(message);
        }

        @Override
        public void registered(FromRank.Registered registered) {
            events.registered(link.rank(), registered);
        }

        @Override
        public void entering(FromRank.Entering entering) {
            if (progress.isFinished()) {
                return;
            }
            progress.ask(entering.uniqueId());
            int asked = tests.buffers(entering.uniqueId());
            if (asked != entering.buffers()) {
                progress.answer(true);
                String how = "published " + entering.buffers() + " buffers where " + asked + " were asked for";
                lose(link, progress, died(link, how, ""), processEnded(link));
                link.kill(how + " and was ended");
            }
            meeting.meet();
        }

        @Override
        public void started(FromRank.Started started) {
            events.started(link.rank(), started.uniqueId());
        }

        @Override
        public void ended(FromRank.Ended ended) {
            progress.end(ended.uniqueId());
            exits.ended(ended.uniqueId(), link.rank(), ended.outcome());
            events.ended(link.rank(), watch.explain(link, inquiries.explain(link, ended)));
            if (ended.outcome() instanceof RankOutcome.Failed failed && failed.deviceError() != 0) {
                link.suspect("failed with " + VendorErrors.describe(failed.deviceError()));
            }
            if (ended.outcome().isFailure()) {
                meeting.release(link.rank(), "rank " + link.rank() + " failed in " + ended.uniqueId());
            } else if (!control.isStopped() && ranks.allAreOutsideOfTests()) {
                control.allow(tests.usualLimit());
            }
        }

        @Override
        public void shaken(FromRank.Shaken shaken) {
            events.shaken(link.rank(), shaken);
        }

        @Override
        public void rounds(FromRank.Rounds rounds) {
            events.rounds(link.rank(), rounds);
        }

        @Override
        public void ranCollective(FromRank.RanCollective ran) {
            events.ranCollective(link.rank(), ran);
        }

        @Override
        public void reported(FromRank.Reported reported) {
            events.reported(link.rank(), reported);
        }

        @Override
        public void kernelLate(FromRank.KernelLate late) throws IOException {
            if (!progress.isFinished()) {
                kernelIsLate(link, progress, late);
            }
        }

        @Override
        public void unfit(FromRank.Unfit unfit) {
            if (!control.isStopped()) {
                events.unfit(unfit.why());
                meeting.release(link.rank(), unfit.why());
            }
        }

        @Override
        public void seen(FromRank.Seen seen) {
            if (!control.isStopped()) {
                // Release the ranks now instead of waiting for their time-out.
                watch.heard(link, seen).ifPresent(awaited -> meeting.release(awaited, DeadlockWatch.REASON));
            }
        }

        @Override
        public void evidence(FromRank.Evidence evidence) throws IOException {
            handleAll(inquiries.gaveUpWaiting(link, evidence));
        }

        /** If the rank is still inside a test, it has failed to report how that test ended. Only that result is lost. */
        @Override
        public void runEnded(FromRank.RunEnded message) {
            if (progress.isFinished()) {
                return;
            }
            progress.finish();
            if (!progress.isOutsideOfTests()) {
                String why = "completed all its tests without reporting how this one ended";
                end(link, progress, new RankOutcome.Unfinished(why, link.log().tail()), "");
                meeting.release(link.rank(), "rank " + link.rank() + " did not report how a test ended");
            }
            meeting.meet();
        }

        /** A late answer to an earlier question; the rank has moved on since. */
        @Override
        public void whereabouts(FromRank.Whereabouts late) {}

        @Override
        public void hello(FromRank.Hello message) {
            outOfTurn();
        }

        @Override
        public void rootInfo(FromRank.RootInfo message) {
            outOfTurn();
        }

        @Override
        public void deviceOpened(FromRank.DeviceOpened message) {
            outOfTurn();
        }

        @Override
        public void broughtUp(FromRank.BroughtUp message) {
            outOfTurn();
        }

        @Override
        public void bringUpFailed(FromRank.BringUpFailed message) {
            outOfTurn();
        }

        private void outOfTurn() {
            throw new IllegalStateException("the group was up before");
        }
    }

    private void lose(RankLink link, RankProgress progress, RankOutcome outcome, String reason) {
        if (progress.isFinished()) {
            // It ended between two runs. The next user of the group will find that it is not sound.
            return;
        }
        progress.finish();
        boolean isHang = outcome instanceof RankOutcome.Unfinished && !control.isStopped();
        end(link, progress, outcome, isHang ? ranks.placeOutside(progress) : "");
        meeting.release(link.rank(), reason);
        meeting.meet();
    }

    /**
     * Report this outcome for all tests that the rank was inside of, innermost first.
     *
     * @param outside where the rank was if it was not inside any test; empty if that is unknown or irrelevant
     */
    private void end(RankLink link, RankProgress progress, RankOutcome outcome, String outside) {
        List<String> inside = progress.leaveAll();
        if (inside.isEmpty() && outside.isEmpty()) {
            events.endedOutsideTests(link.rank(), outcome);
        } else if (inside.isEmpty()) {
            inside = List.of(outside);
        }
        for (String test : inside) {
            events.ended(link.rank(), new FromRank.Ended(test, outcome, List.of(), System.nanoTime(), 0));
        }
    }

    /** The outcome of one rank that is given up, with where it was if it was not inside any test. */
    private record Ending(RankOutcome outcome, String outside) {}

    /** The deadline has passed: each rank that has not finished is asked where it is, and then given up. */
    private void timeIsOver() throws IOException {
        boolean wasReleased = control.timeIsOver();
        Inquiries.Answers answers = inquiries.ask();
        handleAll(answers.meanwhile());
        Standstill everywhere =
                watch.deadlock().orElseGet(() -> answers.inquiry().standstill(ranks.outside()));
        // The position of one rank may show where others are, so determine all of them before ending the first.
        Map<RankLink, Ending> endings = new LinkedHashMap<>();
        ranks.forEach((link, progress) -> {
            if (!progress.isFinished()) {
                endings.put(link, endingOf(link, progress, answers, everywhere, wasReleased));
            }
        });
        endings.forEach((link, ending) -> {
            RankProgress progress = ranks.of(link);
            boolean onlyWaits = progress.waitsFor() != null && progress.isOutsideOfTests();
            progress.finish();
            link.kill("did not end in time and was ended");
            if (!onlyWaits) {
                end(link, progress, ending.outcome(), ending.outside());
            }
        });
    }

    private Ending endingOf(
            RankLink link,
            RankProgress progress,
            Inquiries.Answers answers,
            Standstill everywhere,
            boolean wasReleased) {
        if (progress.hasHungUp()) {
            return new Ending(
                    died(
                            link,
                            progress.howItHungUp() + " and was ended",
                            link.log().tail()),
                    "");
        }
        String why =
                control.whyGivenUp(progress, wasReleased) + answers.inquiry().whereIs(link);
        OptionalInt awaited = control.leftAloneBy(link, watch.deadlock().isPresent());
        RankOutcome outcome =
                awaited.isPresent() ? released(awaited.getAsInt(), why) : inquiries.unfinished(link, why, everywhere);
        return new Ending(outcome, wasReleased ? "" : ranks.placeOutside(progress));
    }

    private static RankOutcome released(int awaited, String why) {
        return new RankOutcome.Released(
                awaited, new Failure("rankunit", why, false, null, null, List.of(), null, List.of()));
    }

    /** A kernel cannot be ended. All that can be done is to ask where every rank is and to give up the rank of the kernel. */
    private void kernelIsLate(RankLink link, RankProgress progress, FromRank.KernelLate late) throws IOException {
        Inquiries.Answers answers = inquiries.ask();
        String why = "kernel '" + late.kernel() + "' had not ended after "
                + limits.device().toMillis() + " ms (" + ConfigKey.DEVICE_TIMEOUT.key()
                + "), and was ended with its rank";
        RankOutcome outcome = inquiries.unfinished(
                link,
                why + answers.inquiry().whereIs(link) + whereIs(late),
                answers.inquiry().standstill(ranks.outside()));
        link.kill(why);
        lose(link, progress, outcome, why);
        handleAll(answers.meanwhile());
    }

    private static String whereIs(FromRank.KernelLate late) {
        List<String> lines = KernelCode.lines(late.code());
        String at = lines.isEmpty() ? "" : " was in\n    " + String.join("\n    ", lines);
        String where = late.where().isEmpty() ? "" : " (" + late.where() + ")";
        return where.isEmpty() && at.isEmpty()
                ? ""
                : "\nkernel '" + late.kernel() + "'" + where + (at.isEmpty() ? " ran" : at);
    }
}
