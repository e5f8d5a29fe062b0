package org.rankunit.coll.picture;

import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

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
