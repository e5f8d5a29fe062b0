package org.rankunit.collective.verify;

import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

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
