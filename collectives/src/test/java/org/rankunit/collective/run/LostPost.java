package org.rankunit.collective.run;

import java.util.List;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** Rank 0 posts twice what rank 1 never waits for. */
final class LostPost implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Resources.onMainStream(List.of(1 - rank));
    }

    @Override
    public void orchestrate(Orchestration rank) {
        TaskStream main = rank.main();
        Link link = rank.link(1 - rank.rank());
        if (rank.rank() == 0) {
            main.txAck(link);
            main.txAck(link);
        } else {
            main.rxDataSignal(link);
        }
    }
}
