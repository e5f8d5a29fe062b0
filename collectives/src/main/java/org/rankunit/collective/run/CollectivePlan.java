package org.rankunit.collective.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.comm.CommException;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.TaskPlan;

/**
 * A collective that is prepared to run on a communicator, by one algorithm, any number of times.
 *
 * <pre>{@code
 * CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, comm.worldSize(), DType.FLOAT32, 1024);
 * try (CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), call)) {
 *     plan.run(0, call.inputBytes(comm.rank()));
 * }
 * }</pre>
 *
 * <p>A run is one native call. On simulators it runs the tasks of all streams of this rank on the calling thread; on Ascend devices,
 * streams of the device run them, and the call waits for their end. Other tasks of the device are neither waited for nor ordered with
 * it: synchronize streams first.
 *
 * <p>Reductions: integers wrap around; float16 and bfloat16 are computed as floats and each result is rounded to nearest, ties to
 * even. A maximum or minimum is NaN if one of the elements is. Other types cannot be reduced: float8, hifloat8 and bool. Ascend devices
 * reduce as their hardware does, and only sums, maxima and minima of float32, float16, bfloat16, int8, int16 and int32, those of the
 * platform a5 also of uint32.
 *
 * <p>Failures are {@link CommException}s, and end the waits of all ranks, as those of a {@link Communicator}; a wait ends after the
 * communicator's time-out. A message about a post or a wait has the line of the algorithm that queued it. On simulators, a post that
 * finds its notify still set is a failure, since the earlier one would be lost; Ascend devices do not notice it. All runs use the same
 * notifies, so a rank that is already in the next run must not post what a peer has not waited for yet. All ranks run the same plans in
 * the same order. Threads: a run counts as a call of the communicator, where one thread at a time may be.
 *
 * <p>With foreign libraries, {@link #of} throws {@link org.rankunit.comm.CommError#NOT_SUPPORTED}. So it does on all ranks for what
 * their devices cannot run. Ascend devices are exercised on an emulator only, never on a real NPU.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CollectivePlan implements AutoCloseable {

    private final String tag;
    private final CollectiveAlgorithm algorithm;
    private final CollectiveCall call;
    private final long tasks;
    private final Communicator communicator;
    private final TaskPlan plan;

    private @Nullable CollectiveLog log;
    private @Nullable CollectiveUse use;

    private CollectivePlan(
            String tag,
            CollectiveAlgorithm algorithm,
            CollectiveCall call,
            long tasks,
            Communicator communicator,
            TaskPlan plan) {
        this.tag = tag;
        this.algorithm = algorithm;
        this.call = call;
        this.tasks = tasks;
        this.communicator = communicator;
        this.plan = plan;
    }

    /**
     * Prepare a collective. All ranks call this with the same call and algorithm, and wait for each other. What is refused on one rank
     * alone ends the waits of the others at once.
     *
     * @throws CommException with {@link org.rankunit.comm.CommError#MISMATCH} on all ranks if calls differ, or the tasks that the algorithms
     *     queue for any rank; the message has two different ones
     * @throws CommException with {@link org.rankunit.comm.CommError#NOT_SUPPORTED} on all ranks if the devices of any rank cannot run
     *     its tasks; the communicator remains usable
     * @throws OrchestrationException if the algorithm does not apply to the call, or does not always queue the same tasks
     */
    public static CollectivePlan of(Communicator communicator, CollectiveAlgorithm algorithm, CollectiveCall call) {
        return of(communicator, "", algorithm, call);
    }

    private static CollectivePlan of(
            Communicator communicator, String tag, CollectiveAlgorithm algorithm, CollectiveCall call) {
        return of(communicator, tag, algorithm, call, schedule(communicator, algorithm, call));
    }

    /** Let an algorithm queue its tasks; does not wait for other ranks, but a failure is told to them. */
    static ScheduleDigest schedule(Communicator communicator, CollectiveAlgorithm algorithm, CollectiveCall call) {
        try {
            if (call.ranks() != communicator.worldSize()) {
                throw new IllegalArgumentException(
                        "the communicator has " + communicator.worldSize() + " ranks, and the call others: " + call);
            }
            if (call.collective().reduces() && !PackedTasks.areReduced(call.type())) {
                throw new IllegalArgumentException(call + ": elements of type " + call.type() + " are not reduced");
            }
            return ScheduleDigest.of(algorithm, call, communicator.rank());
        } catch (RuntimeException e) {
            tellPeers(communicator, call, algorithm, e);
            throw e;
        }
    }

    /** @param tag by which {@link Collectives} keeps the plan */
    static CollectivePlan of(
            Communicator communicator,
            String tag,
            CollectiveAlgorithm algorithm,
            CollectiveCall call,
            ScheduleDigest schedule) {
        TaskPlan plan = communicator.plan(
                call + " by " + algorithm.name(),
                schedule.digest(),
                PackedTasks.setting(call.type(), call.reduction(), call.memory()),
                schedule.own());
        return new CollectivePlan(tag, algorithm, call, schedule.own().count(), communicator, plan);
    }

    public CollectiveCall call() {
        return call;
    }

    /**
     * Run the collective, and return when this rank's output is complete and its input may be changed again.
     *
     * <p>With {@link MemoryMode#WINDOWS}, input and output are offsets in the windows, the same on all ranks; different ones fail with
     * {@link org.rankunit.comm.CommError#MISMATCH}, on simulators at the first notify between the ranks. Otherwise they are device addresses, of
     * memory of the device or in a window. In place, only the larger one of the two is looked at.
     *
     * <p>An input or output that cannot be is refused, and ends the waits of the other ranks at once.
     *
     * @param input of {@code call().inputBytes(rank)} bytes
     * @param output of {@code call().outputBytes(rank)} bytes
     */
    public void run(long input, long output) {
        count();
        try {
            plan.run(input, output);
        } catch (IllegalStateException e) {
            tellPeers(communicator, call, algorithm, e);
            throw e;
        }
    }

    /** Other ranks would wait for this one. */
    private static void tellPeers(
            Communicator communicator, CollectiveCall call, CollectiveAlgorithm algorithm, RuntimeException why) {
        if (!communicator.isClosed()) {
            String text = "refused " + call + " by " + algorithm.name() + ": " + why.getMessage();
            communicator.abort(communicator.rank(), text);
        }
    }

    private void count() {
        CollectiveLog current = CollectiveLog.current();
        if (current == null) {
            return;
        }
        CollectiveUse counted = use;
        if (counted == null || log != current) {
            counted = current.use(tag, algorithm, call, tasks);
            use = counted;
            log = current;
        }
        counted.count();
    }

    /** Returns the call, and by which algorithm it is made. */
    @Override
    public String toString() {
        return call + " by " + algorithm.name();
    }

    /** Free what the plan has on this rank. Does not wait for other ranks; further calls have no effect. */
    @Override
    public void close() {
        plan.close();
    }
}
