package org.rankunit.distributed;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.algorithms.RingAllGather;
import org.rankunit.distributed.pe.algorithms.RingReduceScatter;
import org.rankunit.distributed.pe.algorithms.RingRelay;
import org.rankunit.distributed.pe.config.CclConfig;
import org.rankunit.distributed.pe.run.InstalledKernel;
import org.rankunit.distributed.pe.run.PeMachine;
import org.rankunit.distributed.pe.tensor.DistributedTensor;

/** The backend {@code ahbm}: members are processing elements. All-reduce is the configured algorithm, the others are on a ring. */
final class AhbmProcessGroup implements ProcessGroup {

    /** A tensor of one row. */
    private record AhbmTensor(DistributedTensor stored) implements GroupTensor {

        @Override
        public DType type() {
            return stored.type();
        }

        @Override
        public int partCount() {
            return stored.columnsOfPart();
        }

        @Override
        public void copyFrom(Values whole) {
            stored.copyFrom(whole);
        }

        @Override
        public Values read() {
            return stored.read();
        }
    }

    private final CclConfig.Entry entry;
    private final PeMachine machine;
    private final InstalledKernel allReduce;
    private final InstalledKernel ring;

    AhbmProcessGroup(CclConfig.Entry entry, PeMachine machine) {
        this.entry = entry;
        this.machine = machine;
        this.allReduce = machine.install(entry.algorithm(), entry.topology());
        this.ring = machine.install(new RingAllGather(), PeTopology.RING_1D);
    }

    @Override
    public int getRank() {
        return localRanks().isEmpty() ? -1 : localRanks().get(0);
    }

    @Override
    public List<Integer> localRanks() {
        return machine.ranks();
    }

    @Override
    public int worldSize() {
        return machine.placement().worldSize();
    }

    @Override
    public String getBackend() {
        return Distributed.AHBM;
    }

    @Override
    public GroupTensor zeros(DType type, int partCount) {
        return new AhbmTensor(machine.tensor(type, 1, Math.multiplyExact(partCount, worldSize())));
    }

    private Work launch(InstalledKernel kernel, Reduction reduction, DistributedTensor... tensors) {
        return new FutureWork<>(
                machine.launch(kernel, reduction, tensors[0].columnsOfPart(), tensors),
                result -> OptionalDouble.of(result.nanoseconds()));
    }

    private Work onRing(PeAlgorithm algorithm, Reduction reduction, DistributedTensor... tensors) {
        return launch(ring.with(algorithm), reduction, tensors);
    }

    private static DistributedTensor own(GroupTensor tensor) {
        if (tensor instanceof AhbmTensor ahbm) {
            return ahbm.stored();
        }
        throw new IllegalArgumentException("the tensor belongs to another backend");
    }

    @Override
    public Work allReduceAsync(GroupTensor tensor, ReduceOp op) {
        return launch(allReduce, reduction(op), own(tensor));
    }

    @Override
    public Work allGatherAsync(GroupTensor output, GroupTensor input) {
        GroupChecks.requireGathered(output, input, worldSize());
        return onRing(new RingAllGather(), Reduction.SUM, own(output), own(input));
    }

    @Override
    public Work reduceScatterAsync(GroupTensor output, GroupTensor input, ReduceOp op) {
        GroupChecks.requireGathered(input, output, worldSize());
        return onRing(new RingReduceScatter(), reduction(op), own(output), own(input));
    }

    @Override
    public Work broadcastAsync(GroupTensor tensor, int root) {
        GroupChecks.requireMember("root", root, worldSize());
        return onRing(RingRelay.toAll(root, worldSize()), Reduction.SUM, own(tensor));
    }

    @Override
    public Work reduceAsync(GroupTensor tensor, int root, ReduceOp op) {
        throw unsupported("reduce");
    }

    @Override
    public Work gatherAsync(GroupTensor output, GroupTensor input, int root) {
        throw unsupported("gather");
    }

    @Override
    public Work scatterAsync(GroupTensor output, GroupTensor input, int root) {
        throw unsupported("scatter");
    }

    @Override
    public Work allToAllAsync(GroupTensor output, GroupTensor input) {
        throw unsupported("all-to-all");
    }

    private Reduction reduction(ReduceOp op) {
        if (op == ReduceOp.AVG) {
            throw unsupported("AVG");
        }
        return op.reduction();
    }

    @Override
    public Work isend(GroupTensor tensor, int peer) {
        throw unsupported("isend");
    }

    @Override
    public Work irecv(GroupTensor tensor, int peer) {
        throw unsupported("irecv");
    }

    @Override
    public List<Work> batchIsendIrecv(List<P2POp> operations) {
        throw unsupported("batchIsendIrecv");
    }

    @Override
    public void monitoredBarrier(Duration timeout, boolean waitAllRanks) {
        throw unsupported("monitoredBarrier");
    }

    private UnsupportedOperationException unsupported(String collective) {
        return new UnsupportedOperationException("the backend " + getBackend() + " has no " + collective
                + ", but all-reduce, all-gather, reduce-scatter, broadcast and send-receive");
    }

    @Override
    public Work sendReceiveAsync(GroupTensor tensor, int from, int to) {
        GroupChecks.requireMember("from", from, worldSize());
        GroupChecks.requireMember("to", to, worldSize());
        return onRing(RingRelay.toOne(from, to, worldSize()), Reduction.SUM, own(tensor));
    }

    @Override
    public void barrier() {
        machine.awaitAll();
    }

    @Override
    public ProcessGroup newGroup(List<Integer> members) {
        return new AhbmProcessGroup(entry, machine.subset(members));
    }

    @Override
    public void close() {
        machine.close();
    }
}
