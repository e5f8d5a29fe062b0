package org.rankunit.comm;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.CollFunctions;
import org.rankunit.comm.recorder.FlightRecorder;
import org.rankunit.comm.recorder.FlightRecorder.Series;
import org.rankunit.comm.recorder.RecordedOperation.Kind;

/**
 * The collectives of the vendor's own library (HCCL) on a communicator, to compare an algorithm with; {@code coll_vendor_run} in
 * {@code rankunit/coll.h} says what they do. From {@link Communicator#vendorCollectives}.
 *
 * <p>Each waits until it has ended on this rank. Counts are numbers of elements; buffers are addresses in memory of this rank's
 * device or in its own window; types are {@code CollType}s and reductions {@code CollReduction}s. All ranks call the same, in the
 * same order, but for {@link #send} and {@link #receive}, which are of two ranks. The first call on a communicator must be one of all
 * ranks, and takes longer: it makes the vendor's communicator.
 *
 * <p>Threads and failures: as for {@link Communicator}; each is one of its calls. {@link CommError#NOT_SUPPORTED} if the devices
 * have no such library, as on the simulators, or one that lacks the function; then nothing has been done.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class VendorCollectives {

    /** {@code CollVendorOperation} in {@code coll.h}. */
    private enum Operation {
        ALL_REDUCE(0, "all-reduce"),
        ALL_GATHER(1, "all-gather"),
        REDUCE_SCATTER(2, "reduce-scatter"),
        BROADCAST(3, "broadcast"),
        SEND(4, "send"),
        RECV(5, "receive");

        private final int number;
        private final String text;

        Operation(int number, String text) {
            this.number = number;
            this.text = text;
        }
    }

    private final CommCalls calls;
    private final FlightRecorder recorder;
    private final Series ofAll;
    private final int rank;

    /** What is sent from one rank to another, by sender and receiver; the recorder has it as a domain of the two. */
    private final Map<List<Integer>, Series> ofTwo = new ConcurrentHashMap<>();

    VendorCollectives(CommCalls calls, FlightRecorder recorder, Series ofAll, int rank) {
        this.calls = calls;
        this.recorder = recorder;
        this.ofAll = ofAll;
        this.rank = rank;
    }

    /** Reduce {@code count} elements at {@code send} of all ranks to {@code recv} of each. */
    public void allReduce(long send, long recv, long count, int type, int reduction) {
        run(ofAll, Operation.ALL_REDUCE, send, recv, count, type, reduction, 0);
    }

    /** Put {@code count} elements at {@code send} of each rank, in the order of the ranks, to {@code recv} of all. */
    public void allGather(long send, long recv, long count, int type) {
        run(ofAll, Operation.ALL_GATHER, send, recv, count, type, 0, 0);
    }

    /**
     * Reduce as many elements at {@code send} as {@code count} for each rank, and put the part of each rank, in their order, to its
     * {@code recv}.
     */
    public void reduceScatter(long send, long recv, long count, int type, int reduction) {
        run(ofAll, Operation.REDUCE_SCATTER, send, recv, count, type, reduction, 0);
    }

    /** Copy {@code count} elements at {@code address} of rank {@code root} to {@code address} of each. */
    public void broadcast(long address, long count, int type, int root) {
        run(ofAll, Operation.BROADCAST, address, 0, count, type, 0, root);
    }

    /** Send {@code count} elements to rank {@code receiver}, which calls {@link #receive}. */
    public void send(long address, long count, int type, int receiver) {
        run(pair(rank, receiver), Operation.SEND, address, 0, count, type, 0, receiver);
    }

    /** Receive {@code count} elements from rank {@code sender}, which calls {@link #send}. */
    public void receive(long address, long count, int type, int sender) {
        run(pair(sender, rank), Operation.RECV, 0, address, count, type, 0, sender);
    }

    private Series pair(int sender, int receiver) {
        return ofTwo.computeIfAbsent(List.of(sender, receiver), ranks -> new Series(Kind.COLLECTIVE, ranks, 1));
    }

    private void run(
            Series series,
            Operation operation,
            long send,
            long recv,
            long count,
            int type,
            int reduction,
            int peerOrRoot) {
        recorder.record(
                series,
                0,
                () -> calls.call(
                        "the vendor's " + operation.text,
                        h -> CollFunctions.coll_vendor_run(
                                h, operation.number, send, recv, count, type, reduction, peerOrRoot)));
    }
}
