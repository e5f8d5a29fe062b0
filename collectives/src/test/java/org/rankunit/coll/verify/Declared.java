package org.rankunit.coll.verify;

import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.Symmetry;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

/** An algorithm that declares a symmetry for all calls. */
record Declared(CollectiveAlgorithm algorithm, Symmetry symmetry) implements CollectiveAlgorithm {

    @Override
    public String name() {
        return "Declared" + algorithm.name();
    }

    @Override
    public Collective collective() {
        return algorithm.collective();
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return symmetry;
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return algorithm.resources(call, rank);
    }

    @Override
    public void orchestrate(Orchestration rank) {
        algorithm.orchestrate(rank);
    }
}
