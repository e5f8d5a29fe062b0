package org.rankunit.engine.slurm.step;

import java.time.Duration;
import java.util.List;
import org.rankunit.engine.launch.LaunchedRanks;
import org.rankunit.engine.launch.RankProcess;

/** The ranks of one group, and the steps that started them. */
final class StepRanks implements LaunchedRanks {

    private final List<StepRank> ranks;
    private final List<Step> steps;

    StepRanks(List<StepRank> ranks, List<Step> steps) {
        this.ranks = List.copyOf(ranks);
        this.steps = List.copyOf(steps);
    }

    @Override
    public List<? extends RankProcess> all() {
        return ranks;
    }

    @Override
    public void end(Runnable ask, Duration grace) {
        boolean interrupted = false;
        if (!grace.isZero()) {
            ask.run();
            steps.forEach(Step::closeInput);
            interrupted = awaitEnd(grace);
        }
        steps.forEach(Step::terminate);
        for (Step step : steps) {
            try {
                step.kill();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        ranks.forEach(rank -> rank.ended(StepRank.UNKNOWN, "was ended with its step"));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitEnd(Duration grace) {
        long deadline = System.nanoTime() + grace.toNanos();
        for (Step step : steps) {
            try {
                step.awaitEnd(Duration.ofNanos(deadline - System.nanoTime()));
            } catch (InterruptedException e) {
                return true;
            }
        }
        return false;
    }
}
