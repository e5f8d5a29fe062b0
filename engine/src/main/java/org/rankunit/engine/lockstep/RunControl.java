package org.rankunit.engine.lockstep;

import java.time.Duration;
import java.util.OptionalInt;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.protocol.ToRank;

/** Whether a run continues, its deadline, and the reason if it has stopped. */
final class RunControl {

    /** How long ranks that were released may take to finish what they were doing. */
    private static final Duration RELEASE_GRACE = Duration.ofSeconds(10);

    /**
     * The same if a communicator cannot be aborted: a rank that waits in it will not come out, and the others have had enough time.
     */
    private static final Duration UNWAKEABLE_GRACE = Duration.ofSeconds(1);

    private final RankLinks links;
    private final GroupProgress ranks;
    private final TimeLimits limits;
    private RunState state = new RunState.Running();
    private long deadline;

    /** The limit behind the deadline while the run continues. */
    private TestsToRun.Limit limit;

    RunControl(RankLinks links, GroupProgress ranks, TimeLimits limits, TestsToRun.Limit limit) {
        this.links = links;
        this.ranks = ranks;
        this.limits = limits;
        this.limit = limit;
        this.deadline = limits.deadline(limit.timeout());
    }

    boolean isStopped() {
        return state instanceof RunState.Stopped;
    }

    /** When the current activity of the ranks must have ended, as {@link System#nanoTime()}. */
    long deadline() {
        return deadline;
    }

    /** The ranks begin something that may take up to this limit. */
    void allow(TestsToRun.Limit next) {
        limit = next;
        deadline = limits.deadline(next.timeout());
    }

    /**
     * Release all ranks. From now on only clean-up runs, and its time is limited. Does nothing if the run has already stopped.
     *
     * @return whether this call stopped the run
     */
    boolean stop(RunState.Stopped why, int because, String reason) {
        if (isStopped()) {
            return false;
        }
        state = why;
        deadline = Math.min(
                deadline, System.nanoTime() + limits.patience(releaseGrace()).toNanos());
        ranks.forEach((link, progress) -> {
            if (!progress.isFinished()) {
                links.send(link, new ToRank.Release(because, reason));
            }
        });
        return true;
    }

    /** The deadline has passed. Returns whether the ranks had already been released. */
    boolean timeIsOver() {
        boolean wasReleased = isStopped();
        if (!wasReleased) {
            state = new RunState.OutOfTime();
        }
        return wasReleased;
    }

    private Duration releaseGrace() {
        return links.all().stream().allMatch(RankLink::wakeable) ? RELEASE_GRACE : UNWAKEABLE_GRACE;
    }

    /**
     * The rank that left this one alone. This rank is then no more to blame than one that the communicator released. Empty if it
     * hangs on its own.
     *
     * @param inDeadlock whether all of them are known to wait for each other
     */
    OptionalInt leftAloneBy(RankLink link, boolean inDeadlock) {
        OptionalInt other = OptionalInt.empty();
        if (state instanceof RunState.Parted parted) {
            other = OptionalInt.of(parted.leaver());
        } else if (state instanceof RunState.Released released && !inDeadlock && !link.wakeable()) {
            other = OptionalInt.of(released.blamed());
        }
        return other.isPresent() && other.getAsInt() == link.rank() ? OptionalInt.empty() : other;
    }

    /** Why a rank that has not finished is given up. */
    String whyGivenUp(RankProgress progress, boolean wasReleased) {
        if (wasReleased) {
            return "was still running " + releaseGrace().toSeconds() + " s after it was released, and was ended";
        }
        if (progress.waitsFor() != null) {
            return "waited for the other ranks before " + progress.waitsFor();
        }
        if (limits.session().isOver()) {
            return "had not ended when " + limits.session().describe() + ", and was ended";
        }
        String doing = progress.doing().isEmpty() ? "" : " while it was " + progress.doing();
        return "had not ended after " + limit.describe() + doing + ", and was ended";
    }
}
