package org.rankunit.distributed.pe.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.distributed.pe.PeAlgorithm;

/**
 * An algorithm whose queue pairs are set up on a machine, so that a launch only runs kernels.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class InstalledKernel {

    private final PeMachine machine;
    private final PeAlgorithm algorithm;
    private final QueuePairs pairs;

    InstalledKernel(PeMachine machine, PeAlgorithm algorithm, QueuePairs pairs) {
        this.machine = machine;
        this.algorithm = algorithm;
        this.pairs = pairs;
    }

    /** Get another kernel for the same queue pairs. */
    public InstalledKernel with(PeAlgorithm other) {
        return new InstalledKernel(machine, other, pairs);
    }

    boolean isOf(PeMachine other) {
        return machine == other;
    }

    PeAlgorithm algorithm() {
        return algorithm;
    }

    QueuePairs pairs() {
        return pairs;
    }
}
