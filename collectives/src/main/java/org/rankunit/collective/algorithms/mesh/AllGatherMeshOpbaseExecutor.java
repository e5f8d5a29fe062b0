package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Slice;

/**
 * All-gather on a full mesh inside one server, in single-operator mode: each rank copies its input to CCL_Out, and reads those of
 * all others, each on a sub stream of its own.
 *
 * <p>n ranks need n - 1 sub streams and 2 (n - 1) notifies. On sub stream k - 1, rank r reads from rank (r - k) mod n.
 *
 * <p>Source: HCCL's executor of this name.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class AllGatherMeshOpbaseExecutor implements CollectiveAlgorithm {

    /** HCCL aligns slices in the buffers of the domain. */
    private static final int ALIGNMENT = 128;

    @Override
    public Collective collective() {
        return Collective.ALL_GATHER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        if (call.memory() != MemoryMode.SINGLE_OPERATOR) {
            return Optional.of("needs single-operator mode");
        }
        if (call.servers().count() > 1) {
            return Optional.of("needs all ranks on one server");
        }
        long needed = IntStream.range(0, call.ranks())
                .mapToLong(rank -> inCclOut(call, rank).end())
                .max()
                .orElse(0);
        return needed > call.cclBytes() ? Optional.of("needs CCL buffers of " + needed + " bytes") : Optional.empty();
    }

    /** Where a rank's slice lies in its CCL_Out. */
    private static Slice inCclOut(CollectiveCall call, int rank) {
        Slice part = call.partOf(rank);
        return new Slice(part.from() % ALIGNMENT, part.bytes());
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        int others = call.ranks() - 1;
        return new Resources(
                0,
                others,
                2 * others,
                IntStream.range(0, call.ranks())
                        .filter(peer -> peer != rank)
                        .boxed()
                        .toList());
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        long largest = IntStream.range(0, call.ranks())
                .mapToLong(rank -> call.partOf(rank).bytes())
                .max()
                .orElse(0);
        int others = call.ranks() - 1;
        return Optional.of(new Cost(others == 0 || largest == 0 ? 0 : 1, others * largest));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        int rank = self.rank();
        TaskStream main = self.main();
        Region own = self.buffer(BufferKind.CCL_OUT).part(inCclOut(call, rank));

        main.copy(self.input(), own);
        for (int k = 1; k < n; k++) {
            main.post(self.notify(k - 1));
        }
        for (int k = 1; k < n; k++) {
            int peer = Math.floorMod(rank - k, n);
            Link link = self.link(peer);
            TaskStream sub = self.sub(k - 1);
            Region theirs = self.buffer(BufferKind.CCL_OUT, peer).part(inCclOut(call, peer));
            sub.waitFor(self.notify(k - 1));
            sub.txAck(link);
            sub.rxAck(link);
            sub.get(link, theirs, self.output().part(call.partOf(peer)));
            sub.txDataSignal(link);
            sub.rxDataSignal(link);
            sub.post(self.notify(n - 1 + k - 1));
        }
        main.copy(own, self.output().part(call.partOf(rank)));
        for (int k = 1; k < n; k++) {
            main.waitFor(self.notify(n - 1 + k - 1));
        }
    }
}
