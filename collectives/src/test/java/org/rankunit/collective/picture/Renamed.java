package org.rankunit.collective.picture;

import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** An algorithm with another name. */
record Renamed(CollectiveAlgorithm algorithm, String name) implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return algorithm.collective();
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return algorithm.resources(call, rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        algorithm.orchestrate(self);
    }
}
