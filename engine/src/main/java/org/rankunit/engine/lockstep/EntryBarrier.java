package org.rankunit.engine.lockstep;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.protocol.ToRank;

/** Lets all ranks enter a test together once all have asked for the same one. */
final class EntryBarrier {

    /**
     * How long the others may stay in a test after one rank has left it by an assumption or a condition, before they are released.
     * This is long enough for ranks that all leave it in the same way, and short for a rank that waits for the one that left.
     */
    private static final Duration PARTING_GRACE = Duration.ofSeconds(1);

    private final RankLinks links;
    private final GroupProgress ranks;
    private final TestsToRun tests;
    private final EarlyExits exits;
    private final RankEvents events;
    private final RunControl control;

    EntryBarrier(
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

    /** Let all ranks enter together once all of them wait. Once the run has stopped, make them skip their tests. */
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
        // No rank is to blame, but the clean-up of some ranks may wait for one that has finished, and a release must
        // name a rank.
        release(ranks.firstFinished(), "the ranks are about to run different tests");
    }

    /** What some ranks are still in although another one has left it; empty if there is nothing, or if the run has stopped. */
    Optional<String> heldUp() {
        return control.isStopped() || exits.areNone()
                ? Optional.empty()
                : exits.firstLeft(id -> ranks.heldBy(id, exits).findAny().isPresent());
    }

    /** Until when ranks may stay in what another one has left. The grace period begins once both have happened. */
    long endOfGrace(String uniqueId) {
        long held = ranks.heldBy(uniqueId, exits)
                .mapToLong(RankProgress::cameThere)
                .max()
                .orElse(0);
        return Math.max(held, exits.leftAt(uniqueId)) + PARTING_GRACE.toNanos();
    }

    /**
     * Some ranks have left this test or container and the others will not. Release the others, since no rank will meet them there.
     */
    void part(String uniqueId) {
        int leaver = exits.leaver(uniqueId);
        events.parted(uniqueId);
        stop(new RunState.Parted(leaver), leaver, "rank " + leaver + " gave up in " + uniqueId);
    }

    /** Release all ranks because of one rank. */
    void release(int because, String reason) {
        stop(new RunState.Released(because), because, reason);
    }

    private void stop(RunState.Stopped why, int because, String reason) {
        if (control.stop(why, because, reason)) {
            refuse();
        }
    }
}
