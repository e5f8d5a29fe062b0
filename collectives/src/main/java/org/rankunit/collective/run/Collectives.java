package org.rankunit.collective.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;
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
 * <p>A plan is kept for each tag, call and schedule: algorithms that queue the same tasks on all ranks share one, whatever their classes are
 * called. Plans of different tags have different notifies and scratch memory; the CCL buffers are those of the communicator. At most
 * {@link #MAX_PLANS} are kept, or as many as were asked for; the plan that was used longest ago is closed for another one. All ranks use the
 * same tags and algorithms in the same order. Threads: one thread at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Collectives implements AutoCloseable {

    /** How many plans are kept unless something else is said. */
    public static final int MAX_PLANS = 256;

    private record Known(String tag, Object algorithm, CollectiveCall call) {}

    private record Key(String tag, long schedule, CollectiveCall call) {}

    private final Communicator communicator;
    private final int most;
    private final Map<Key, CollectivePlan> plans = new LinkedHashMap<>(16, 0.75F, true);

    /** Finds the schedule of an algorithm that was used before, without asking the algorithm again. */
    private final Map<Known, Key> known = new LinkedHashMap<>(16, 0.75F, true);

    /** @param communicator closed by its owner, after this */
    public Collectives(Communicator communicator) {
        this(communicator, MAX_PLANS);
    }

    /**
     * @param communicator closed by its owner, after this
     * @param most how many plans are kept, at least 1, the same on all ranks
     */
    public Collectives(Communicator communicator, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most = " + most + ": at least one plan is kept");
        }
        this.communicator = communicator;
        this.most = most;
    }

    /**
     * Get the plan for a call, which stays this object's. Prepares it first if there is none; see {@link CollectivePlan#of}. It may be
     * closed as soon as another one is asked for.
     */
    public CollectivePlan plan(String tag, CollectiveAlgorithm algorithm, CollectiveCall call) {
        Known name = new Known(tag, identity(algorithm), call);
        Key key = known.get(name);
        CollectivePlan plan = key == null ? null : plans.get(key);
        return plan != null ? plan : prepared(name, algorithm);
    }

    private CollectivePlan prepared(Known name, CollectiveAlgorithm algorithm) {
        ScheduleDigest schedule = CollectivePlan.schedule(communicator, algorithm, name.call());
        Key key = new Key(name.tag(), schedule.digest(), name.call());
        CollectivePlan plan = plans.get(key);
        if (plan == null) {
            plan = CollectivePlan.of(communicator, name.tag(), algorithm, name.call(), schedule);
            plans.put(key, plan);
            // All ranks have come here, and none of them still runs the oldest plan.
            closeOldest();
        }
        known.put(name, key);
        if (known.size() > 2 * most) {
            known.remove(known.keySet().iterator().next());
        }
        return plan;
    }

    private void closeOldest() {
        if (plans.size() > most) {
            Iterator<CollectivePlan> oldestFirst = plans.values().iterator();
            oldestFirst.next().close();
            oldestFirst.remove();
        }
    }

    /** What is equal only for algorithms that queue the same tasks. */
    private static Object identity(CollectiveAlgorithm algorithm) {
        if (algorithm instanceof MembersAlgorithm members) {
            return List.of(identity(members.inner()), members.call(), members.members());
        }
        return hasFields(algorithm.getClass()) ? algorithm : algorithm.getClass();
    }

    private static boolean hasFields(Class<?> type) {
        return type != Object.class
                && (Arrays.stream(type.getDeclaredFields()).anyMatch(field -> !Modifier.isStatic(field.getModifiers()))
                        || hasFields(type.getSuperclass()));
    }

    /** Run a collective by the plan of this tag; see {@link CollectivePlan#run}. */
    public void run(String tag, CollectiveAlgorithm algorithm, CollectiveCall call, long input, long output) {
        plan(tag, algorithm, call).run(input, output);
    }

    /** Returns which plans are kept, the one that was used longest ago first. */
    @Override
    public String toString() {
        List<String> held = new ArrayList<>();
        plans.forEach((key, plan) -> held.add((key.tag().isEmpty() ? "" : key.tag() + ": ") + plan));
        return held.size() + " of at most " + most + " plans"
                + (held.isEmpty() ? "" : ":\n  " + String.join("\n  ", held));
    }

    /** Close all plans. */
    @Override
    public void close() {
        plans.values().forEach(CollectivePlan::close);
        plans.clear();
        known.clear();
    }
}
