package org.rankunit.coll.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.comm.Communicator;

/**
 * The plans of one communicator, kept so that a collective that comes again finds its resources there.
 *
 * <pre>{@code
 * try (Collectives collectives = new Collectives(comm)) {
 *     collectives.run("gradients", new RingAllReduce(), call, input, output);
 * }
 * }</pre>
 *
 * <p>A plan is kept for each tag, algorithm and call. Plans of different tags have different notifies and scratch memory; the CCL
 * buffers are those of the communicator. All ranks use the same tags in the same order. Threads: one thread at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Collectives implements AutoCloseable {

    private record Key(String tag, String algorithm, CollectiveCall call) {}

    private final Communicator communicator;
    private final Map<Key, CollectivePlan> plans = new LinkedHashMap<>();

    /** @param communicator closed by its owner, after this */
    public Collectives(Communicator communicator) {
        this.communicator = communicator;
    }

    /** Get the plan for a call, which stays this object's. Prepares it first if there is none; see {@link CollectivePlan#of}. */
    public CollectivePlan plan(String tag, CollectiveAlgorithm algorithm, CollectiveCall call) {
        Key key = new Key(tag, algorithm.name(), call);
        CollectivePlan known = plans.get(key);
        if (known == null) {
            known = CollectivePlan.of(communicator, tag, algorithm, call);
            plans.put(key, known);
        }
        return known;
    }

    /** Run a collective by the plan of this tag; see {@link CollectivePlan#run}. */
    public void run(String tag, CollectiveAlgorithm algorithm, CollectiveCall call, long input, long output) {
        plan(tag, algorithm, call).run(input, output);
    }

    /** Close all plans. */
    @Override
    public void close() {
        plans.values().forEach(CollectivePlan::close);
        plans.clear();
    }
}
