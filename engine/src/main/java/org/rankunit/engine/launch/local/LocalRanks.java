package org.rankunit.engine.launch.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.rankunit.engine.launch.LaunchedRanks;
import org.rankunit.engine.launch.RankProcess;
import org.rankunit.engine.protocol.ProcessMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes of one group on this machine. */
final class LocalRanks implements LaunchedRanks {

    /** How long a process may take to end after it was killed. */
    private static final Duration KILL_WAIT = Duration.ofSeconds(10);

    private final ProcessMark mark;
    private final List<RankProcess> all = new ArrayList<>();

    /** Those that this process has started, and therefore ends. */
    private final List<LocalProcess> ranks = new ArrayList<>();

    LocalRanks(ProcessMark mark) {
        this.mark = mark;
    }

    void add(LocalProcess rank) {
        all.add(rank);
        ranks.add(rank);
    }

    void add(ManualRank rank) {
        all.add(rank);
    }

    @Override
    public List<RankProcess> all() {
        return Collections.unmodifiableList(all);
    }

    @Override
    public void end(Runnable ask, Duration grace) {
        RankDescendants descendants = new RankDescendants(ranks, mark);
        descendants.look();
        if (!grace.isZero()) {
            ask.run();
            ranks.forEach(LocalProcess::closeInput);
            awaitExits(grace);
            descendants.look();
        }
        ranks.forEach(LocalProcess::kill);
        awaitExits(KILL_WAIT);
        descendants.end();
    }

    private void awaitExits(Duration grace) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + grace.toNanos();
        for (LocalProcess rank : ranks) {
            try {
                if (!rank.awaitExit(Duration.ofNanos(deadline - System.nanoTime()))) {
                    log().debug("Rank {} ({}) has not ended within {}", rank.rank(), rank.describe(), grace);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(LocalRanks.class);
    }
}
