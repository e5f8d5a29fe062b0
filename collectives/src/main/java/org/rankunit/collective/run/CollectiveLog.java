package org.rankunit.collective.run;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Which collectives this process has run by schedules since the log was opened, for the report. A plan adds itself with
 * its first run, and then only counts; without a log it does nothing.
 *
 * <p>There is one log for the whole JVM; opening one ends the one before. Thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CollectiveLog implements AutoCloseable {

    private static volatile @Nullable CollectiveLog current;

    private record Key(String tag, String algorithm, CollectiveCall call) {}

    private final int most;
    private final Map<Key, CollectiveUse> uses = new LinkedHashMap<>();
    private long leftOut;

    private CollectiveLog(int most) {
        this.most = most;
    }

    /**
     * Open a log that keeps at most so many collectives; it counts the plans of others.
     *
     * @param most of different tags, algorithms or calls
     */
    public static CollectiveLog open(int most) {
        CollectiveLog opened = new CollectiveLog(most);
        current = opened;
        return opened;
    }

    static @Nullable CollectiveLog current() {
        return current;
    }

    /** Get what runs of a plan are counted by. */
    synchronized CollectiveUse use(String tag, CollectiveAlgorithm algorithm, CollectiveCall call, long tasks) {
        Key key = new Key(tag, algorithm.name(), call);
        CollectiveUse known = uses.get(key);
        if (known != null) {
            return known;
        }
        CollectiveUse fresh = new CollectiveUse(tag, algorithm, call, tasks);
        if (uses.size() < most) {
            uses.put(key, fresh);
        } else {
            leftOut++;
        }
        return fresh;
    }

    /** Record the mean time of one run of a collective, whose plan has no tag and has run. */
    public static void measured(CollectiveAlgorithm algorithm, CollectiveCall call, double micros) {
        CollectiveLog log = current;
        if (log != null) {
            log.untagged(algorithm, call).ifPresent(use -> use.measured(micros));
        }
    }

    /** Record how many elements were wrong after a run of a collective, whose plan has no tag and has run. */
    public static void checked(CollectiveAlgorithm algorithm, CollectiveCall call, long wrong) {
        CollectiveLog log = current;
        if (log != null) {
            log.untagged(algorithm, call).ifPresent(use -> use.checked(wrong));
        }
    }

    /** Empty for one that is left out. */
    private synchronized Optional<CollectiveUse> untagged(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return Optional.ofNullable(uses.get(new Key("", algorithm.name(), call)));
    }

    /** The collectives so far, in the order of their first runs. */
    public synchronized List<CollectiveUse> uses() {
        return List.copyOf(uses.values());
    }

    /** Number of plans that were run and that are not among {@link #uses}, since these are too many. */
    public synchronized long leftOut() {
        return leftOut;
    }

    /** End this log, unless another one was opened since; what it has stays. */
    @Override
    public void close() {
        if (current == this) {
            current = null;
        }
    }
}
