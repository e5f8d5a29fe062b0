package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An algorithm for processing elements: who is whose neighbour, which numbers all kernels get, and what the kernel of each one does.
 * Its class has a public constructor without parameters, so that {@code ccl.yaml} can name it.
 *
 * <p>Threads: {@link #kernel} is called for several processing elements at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface PeAlgorithm {

    /** Say why this algorithm cannot run, as in {@code "needs a ring"}; empty if it can. */
    default Optional<String> unsupportedReason(PeTopology topology, int worldSize) {
        return Optional.empty();
    }

    /**
     * Get the neighbours of a processing element by direction; those of the topology that is configured, unless this is overridden.
     *
     * <p>A queue pair has two ends: if b is a neighbour of a, then a is one of b. A message in direction d arrives at the end of b
     * that leads to a; where several do, as in a ring of 2, at the opposite of d.
     */
    default Map<Direction, Integer> neighbours(PeTopology topology, int rank, int worldSize) {
        return topology.neighbours(rank, worldSize);
    }

    /**
     * Compute numbers that each kernel gets by {@link PeContext#argument}.
     *
     * @param nElem elements of each processing element
     */
    default Map<String, Long> kernelArgs(int worldSize, int nElem) {
        return Map.of("n_elem", (long) nElem);
    }

    /** Run on one processing element. */
    void kernel(PeContext pe);
}
