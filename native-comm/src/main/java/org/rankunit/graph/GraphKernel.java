package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.device.Cores;
import org.rankunit.device.Kernel;

/**
 * A kernel as one graph knows it; made by {@link TaskGraph#kernel}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class GraphKernel {

    private final TaskGraph graph;

    private final Kernel kernel;

    private final Cores cores;

    private final int number;

    GraphKernel(TaskGraph graph, Kernel kernel, Cores cores, int number) {
        this.graph = graph;
        this.kernel = kernel;
        this.cores = cores;
        this.number = number;
    }

    /** The name by which orchestration functions find it. */
    public String name() {
        return kernel.name();
    }

    /** What runs a block of it. */
    public Cores cores() {
        return cores;
    }

    int numberIn(TaskGraph other) {
        if (other != graph) {
            throw new IllegalArgumentException(this + " is a kernel of " + graph + ", not of " + other);
        }
        return number;
    }

    @Override
    public String toString() {
        return "kernel \"" + name() + "\"";
    }
}
