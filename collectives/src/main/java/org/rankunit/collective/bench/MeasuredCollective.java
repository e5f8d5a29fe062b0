package org.rankunit.collective.bench;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Slice;
import org.rankunit.collective.run.CollectiveLog;
import org.rankunit.collective.run.CollectivePlan;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.WindowView;

/**
 * A collective that is timed and checked on this rank, with its buffers in the window. All ranks call the same methods in the same
 * order; each waits for the others.
 *
 * <pre>{@code
 * try (MeasuredCollective measured = new MeasuredCollective(comm, new RingAllReduce(), call)) {
 *     measured.run(1);
 *     double micros = measured.time(20);
 *     long wrong = measured.wrong(1);
 * }
 * }</pre>
 *
 * <p>In a device test, the report shows what was timed and checked, and {@link MinBusBandwidth} asks for a bandwidth.
 *
 * <p>The buffers begin at the window's first byte, and are overwritten. Failures are those of {@link CollectivePlan}. Threads: one
 * thread at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeasuredCollective implements AutoCloseable {

    private static final int ALIGNMENT = 512;
    /** Data is made and compared in pieces; divisible by the size of every element. */
    private static final int PIECE = 4 << 20;

    private static final byte POISON = (byte) 0xa5;

    private final Communicator comm;
    private final CollectiveAlgorithm algorithm;
    private final CollectiveCall call;
    private final CollectivePlan plan;
    private final WindowView window;
    private final long inputAt;
    private final long outputAt;

    /** Prepare the collective; all ranks wait for each other. */
    public MeasuredCollective(Communicator comm, CollectiveAlgorithm algorithm, CollectiveCall call) {
        this.comm = comm;
        this.algorithm = algorithm;
        this.call = call;
        this.window = comm.window(comm.rank());
        boolean output = call.inPlace() && call.inputLiesInOutput(comm.rank());
        boolean input = call.inPlace() && !output;
        this.inputAt = output ? call.inPlaceOffset(comm.rank()) : 0;
        this.outputAt = input ? call.inPlaceOffset(comm.rank()) : call.inPlace() ? 0 : outputOutOfPlace(call);
        if (windowBytes(call) > window.size()) {
            throw new IllegalArgumentException(
                    call + " needs a window of " + windowBytes(call) + " bytes, but this one has " + window.size());
        }
        this.plan = CollectivePlan.of(comm, algorithm, call);
    }

    /** Get how large the windows must be at least. */
    public static long windowBytes(CollectiveCall call) {
        return call.inPlace() ? BusBandwidth.size(call) : outputOutOfPlace(call) + BusBandwidth.size(call);
    }

    /** The same on all ranks. */
    private static long outputOutOfPlace(CollectiveCall call) {
        long input = IntStream.range(0, call.ranks())
                .mapToLong(call::inputBytes)
                .max()
                .orElse(0);
        return (input + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Run a number of times. */
    public void run(int times) {
        // In place, the plan looks at the larger buffer, which begins at 0.
        long input = call.inPlace() ? 0 : inputAt;
        long output = call.inPlace() ? 0 : outputAt;
        long base = call.memory() == MemoryMode.WINDOWS ? 0 : window.address();
        for (int i = 0; i < times; i++) {
            plan.run(base + input, base + output);
        }
    }

    /** Run a number of times after a barrier, and return the mean time of one run on this rank in microseconds. */
    public double time(int times) {
        comm.barrier();
        long start = System.nanoTime();
        run(times);
        double micros = (System.nanoTime() - start) / 1e3 / times;
        CollectiveLog.measured(algorithm, call, micros);
        return micros;
    }

    /**
     * Run once on new data, and count the elements of this rank's output that are not what they must be.
     *
     * @param salt for {@link ExactData}
     */
    public long wrong(long salt) {
        ExactData data = new ExactData(call, salt);
        int rank = comm.rank();
        comm.barrier();
        fill(outputAt, call.outputBytes(rank));
        for (long from = 0; from < call.inputBytes(rank); from += PIECE) {
            window.put(inputAt + from, data.input(rank, piece(from, call.inputBytes(rank))));
        }
        comm.barrier();
        run(1);
        comm.barrier();
        long wrong = 0;
        for (long from = 0; from < call.outputBytes(rank); from += PIECE) {
            Slice piece = piece(from, call.outputBytes(rank));
            byte[] found = new byte[(int) piece.bytes()];
            window.get(outputAt + from, found);
            wrong += data.wrong(data.expected(rank, piece), found);
        }
        CollectiveLog.checked(algorithm, call, wrong);
        return wrong;
    }

    /** What no run has written is wrong. */
    private void fill(long at, long bytes) {
        byte[] poison = new byte[(int) Math.min(bytes, PIECE)];
        Arrays.fill(poison, POISON);
        for (long from = 0; from < bytes; from += PIECE) {
            window.put(at + from, from + PIECE <= bytes ? poison : Arrays.copyOf(poison, (int) (bytes - from)));
        }
    }

    private static Slice piece(long from, long bytes) {
        return new Slice(from, Math.min(PIECE, bytes - from));
    }

    /** Free the plan. */
    @Override
    public void close() {
        plan.close();
    }
}
