package org.rankunit.engine.lockstep;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.ToRank;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;

/** Lets all ranks enter a test together once all have asked for the same one. */
final class Meeting {

    /**
     * How long after one rank left a test by an assumption or a condition the others may go on in it, before they are
     * released: long enough for ranks that all leave it alike, and short for one that waits for the one that left.
     */
    private static final Duration PARTING_GRACE = Duration.ofSeconds(1);

    private final RankLinks links;
    private final GroupProgress ranks;
    private final TestsToRun tests;
    private final EarlyExits exits;
    private final RankEvents events;
    private final RunControl control;

    Meeting(
            RankLinks links,
            GroupProgress ranks,
            TestsToRun tests,
            EarlyExits exits,
            RankEvents events,
            RunControl control) {
        this.links = links;
        this.ranks = ranks;
        this.tests = tests;
        this.exits = exits;
        this.events = events;
        this.control = control;
    }

    /** Let all ranks enter together once all wait; send them past their tests once the run is stopped. */
    void meet() {
        if (control.isStopped()) {
            refuse();
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
            control.allow(tests.limit(test));
            ranks.forEach((link, progress) -> answer(link, progress, run));
        }
    }

    private void refuse() {
        ranks.forEach((link, progress) -> answer(link, progress, false));
    }

    private void answer(RankLink link, RankProgress progress, boolean run) {
        if (progress.waitsFor() != null) {
            links.send(link, new ToRank.Enter(progress.answer(run), run));
        }
    }

    private void disagreed() {
        Optional<String> left = exits.firstLeft(ranks::isAwaited);
        if (left.isPresent()) {
            part(left.get());
            return;
        }
        Set<String> ofSomeRanks = events.disagreed(ranks.awaitedByRank());
        if (!ofSomeRanks.isEmpty()) {
            ranks.forEach((link, progress) -> {
                if (progress.waitsFor() != null && ofSomeRanks.contains(progress.waitsFor())) {
                    answer(link, progress, false);
                }
            });
            return;
        }
        // Nobody is to blame; but the ranks' clean-up may wait for one that is at its end, and needs somebody to name.
        release(ranks.firstFinished(), "the ranks are about to run different tests");
    }

    /** What some ranks are still in that another one has left; empty if there is nothing, or if the run has stopped. */
    Optional<String> heldUp() {
        return control.isStopped() || exits.areNone()
                ? Optional.empty()
                : exits.firstLeft(id -> ranks.heldBy(id, exits).findAny().isPresent());
    }

    /** Until when ranks may stay where another one has left them: it counts from when both had happened. */
    long endOfGrace(String uniqueId) {
        long held = ranks.heldBy(uniqueId, exits)
                .mapToLong(RankProgress::cameThere)
                .max()
                .orElse(0);
        return Math.max(held, exits.leftAt(uniqueId)) + PARTING_GRACE.toNanos();
    }

    /** Some ranks have left this, and the others will not: these are released, since nobody will come to meet them there. */
    void part(String uniqueId) {
        int leaver = exits.leaver(uniqueId);
        events.parted(uniqueId);
        stop(new RunState.Parted(leaver), leaver, "rank " + leaver + " gave up in " + uniqueId);
    }

    /** Release all ranks because of this one. */
    void release(int because, String reason) {
        stop(new RunState.Released(because), because, reason);
    }

    private void stop(RunState.Stopped why, int because, String reason) {
        if (control.stop(why, because, reason)) {
            refuse();
        }
    }
}
