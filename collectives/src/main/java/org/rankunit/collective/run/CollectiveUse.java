package org.rankunit.collective.run;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;

/**
 * One call by one algorithm under one tag, as a {@link CollectiveLog} has it. Thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CollectiveUse {

    private final String tag;
    private final CollectiveAlgorithm algorithm;
    private final CollectiveCall call;
    private final long tasks;
    private final AtomicLong runs = new AtomicLong();

    CollectiveUse(String tag, CollectiveAlgorithm algorithm, CollectiveCall call, long tasks) {
        this.tag = tag;
        this.algorithm = algorithm;
        this.call = call;
        this.tasks = tasks;
    }

    private double micros = Double.POSITIVE_INFINITY;
    private long wrong = -1;

    synchronized void measured(double mean) {
        micros = Math.min(micros, mean);
    }

    synchronized void checked(long found) {
        wrong = Math.max(0, wrong) + found;
    }

    void count() {
        runs.incrementAndGet();
    }

    /** The tag of its plan; empty if that was made without {@link Collectives}. */
    public String tag() {
        return tag;
    }

    public CollectiveAlgorithm algorithm() {
        return algorithm;
    }

    public CollectiveCall call() {
        return call;
    }

    /** Number of tasks of this rank in one run. */
    public long tasks() {
        return tasks;
    }

    /** The shortest of the mean times that were measured on this rank, in microseconds; infinite if none was. */
    public synchronized double micros() {
        return micros;
    }

    /** How many elements were wrong on this rank, in all checks together; -1 if there was no check. */
    public synchronized long wrong() {
        return wrong;
    }

    /** Number of runs that have begun since the log was opened. */
    public long runs() {
        return runs.get();
    }
}
