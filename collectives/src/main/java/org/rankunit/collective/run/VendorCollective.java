package org.rankunit.collective.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.TaskPlan;
import org.rankunit.comm.VendorCollectives;

/**
 * Runs collectives by the vendor's own library, HCCL, to compare an algorithm with it.
 *
 * <p>The first call on a communicator makes the vendor's communicator and takes longer; it must not be a send-recv. Threads and
 * failures: as for {@link CollectivePlan}. On simulated devices each call throws {@link org.rankunit.comm.CommException} with
 * {@link org.rankunit.comm.CommError#NOT_SUPPORTED}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class VendorCollective {

    private final VendorCollectives vendor;
    private final int rank;

    public VendorCollective(Communicator communicator) {
        this.vendor = communicator.vendorCollectives();
        this.rank = communicator.rank();
    }

    /**
     * Run a collective, and return when this rank's output is complete. All ranks make the same call, but a send-recv is only of the two
     * ranks between which a message goes; on others it does nothing.
     *
     * @param call an all-reduce, all-gather, reduce-scatter, broadcast or send-recv with at most one message, without other counts for
     *     each rank
     * @param input address of this rank's input in the memory of its device or in its window
     * @param output the same for its output; of a broadcast or a send-recv, also of its input
     * @throws IllegalArgumentException for any other call, or if a broadcast or send-recv has another output than its input
     */
    public void run(CollectiveCall call, long input, long output) {
        TaskPlan.Setting setting = PackedTasks.setting(call.type(), call.reduction(), call.memory());
        int type = setting.type();
        switch (call.collective()) {
            case ALL_REDUCE -> vendor.allReduce(input, output, call.count(), type, setting.reduction());
            case ALL_GATHER -> vendor.allGather(input, output, countOfAll(call), type);
            case REDUCE_SCATTER -> vendor.reduceScatter(input, output, countOfAll(call), type, setting.reduction());
            case BROADCAST -> vendor.broadcast(sameBuffer(call, input, output), call.count(), type, call.root());
            case SEND_RECV -> sendOrReceive(call, sameBuffer(call, input, output), type);
            default -> throw new IllegalArgumentException("RankUnit does not call the vendor's " + call.collective());
        }
    }

    private static long countOfAll(CollectiveCall call) {
        if (!call.counts().isEmpty()) {
            throw new IllegalArgumentException(call + " by the vendor's library: ranks must have the same count");
        }
        return call.count();
    }

    private static long sameBuffer(CollectiveCall call, long input, long output) {
        if (input != output) {
            throw new IllegalArgumentException(
                    call + " by the vendor's library: input and output must be the same buffer");
        }
        return output;
    }

    private void sendOrReceive(CollectiveCall call, long address, int type) {
        int n = call.ranks();
        List<Integer> messages = IntStream.range(0, n * n)
                .filter(pair -> call.count(pair / n, pair % n) > 0)
                .boxed()
                .toList();
        if (messages.size() > 1) {
            throw new IllegalArgumentException(call + " by the vendor's library: there must be at most one message");
        }
        for (int pair : messages) {
            long count = call.count(pair / n, pair % n);
            if (pair / n == rank) {
                vendor.send(address, count, type, pair % n);
            } else if (pair % n == rank) {
                vendor.receive(address, count, type, pair / n);
            }
        }
    }
}
