package org.rankunit.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.rankunit.DType;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.device.Device;
import org.rankunit.distributed.device.DeviceCollectives;
import org.rankunit.distributed.device.DeviceMembers;
import org.rankunit.distributed.p2p.PointToPoint;

/** Members are the devices of the ranks of a test, each of which has one process. Calls are done by a thread of the group, in order. */
final class DeviceProcessGroup implements ProcessGroup {

    /** Of each of the two buffers of the domain. */
    private static final long CCL_BYTES = 1 << 20;

    private final String backend;
    private final DeviceMembers members;
    private final Function<DeviceMembers, DeviceCollectives> maker;
    private final DeviceCollectives collectives;
    private final ExecutorService calls;
    private final GroupMessages messages;

    /** Of the group of all ranks, which the others use too. */
    private final WindowExchange exchange;

    /** Whether thread and exchange are those of a group that closes them. */
    private final boolean isPart;

    private final List<DeviceTensor> tensors = new ArrayList<>();
    private boolean closed;

    private DeviceProcessGroup(
            String backend,
            DeviceMembers members,
            Function<DeviceMembers, DeviceCollectives> maker,
            DeviceCollectives collectives,
            ExecutorService calls,
            GroupMessages messages,
            WindowExchange exchange,
            boolean isPart) {
        this.backend = backend;
        this.members = members;
        this.maker = maker;
        this.collectives = collectives;
        this.calls = calls;
        this.messages = messages;
        this.exchange = exchange;
        this.isPart = isPart;
    }

    static DeviceProcessGroup of(String backend, RankContext rank, Function<DeviceMembers, DeviceCollectives> maker) {
        List<Integer> all = IntStream.range(0, rank.worldSize()).boxed().toList();
        DeviceMembers members = new DeviceMembers(rank, all);
        DeviceCollectives collectives = maker.apply(members);
        WindowExchange exchange = new WindowExchange(rank.communicator());
        return new DeviceProcessGroup(
                backend,
                members,
                maker,
                collectives,
                Executors.newSingleThreadExecutor(work -> {
                    Thread thread = new Thread(work, "rankunit-process-group");
                    thread.setDaemon(true);
                    return thread;
                }),
                GroupMessages.of(backend, members, exchange),
                exchange,
                false);
    }

    /** This rank's part of a tensor, in the memory of its device. */
    private final class DeviceTensor implements GroupTensor {

        private final DType type;
        private final int partCount;
        private final long address;

        DeviceTensor(DType type, int partCount) {
            this.type = type;
            this.partCount = partCount;
            // Something must be there to have an address.
            this.address = device().allocate(Math.max(1, bytes()));
            device().zero(address, Math.max(1, bytes()));
        }

        private int bytes() {
            return Math.multiplyExact(partCount, type.byteSize());
        }

        boolean isOf(DeviceProcessGroup group) {
            return group == DeviceProcessGroup.this;
        }

        @Override
        public DType type() {
            return type;
        }

        @Override
        public int partCount() {
            return partCount;
        }

        @Override
        public void copyFrom(Values whole) {
            if (whole.type() != type || whole.count() != (long) partCount * worldSize()) {
                throw new IllegalArgumentException("the tensor has " + (long) partCount * worldSize() + " elements of "
                        + type + ", the array " + whole.count() + " of " + whole.type());
            }
            inOrder(() -> {
                if (members.own() >= 0) {
                    device().copyIn(address, whole.encode(), members.own() * bytes(), bytes());
                }
            });
        }

        @Override
        public Values read() {
            byte[] own = new byte[members.own() >= 0 ? bytes() : 0];
            byte[] whole = new byte[Math.multiplyExact(bytes(), worldSize())];
            inOrder(() -> {
                device().copyOut(address, own, 0, own.length);
                List<byte[]> all = exchange.allGather(own);
                for (int member = 0; member < members.size(); member++) {
                    System.arraycopy(all.get(members.ranks().get(member)), 0, whole, member * bytes(), bytes());
                }
            });
            return Values.decode(type, whole);
        }

        void free() {
            device().free(address);
        }
    }

    private Device device() {
        return members.rank().device();
    }

    /** Do something after the calls before it, and wait until it is done. */
    private void inOrder(Runnable action) {
        later(action).await();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the process group is closed");
        }
    }

    private Work later(Runnable action) {
        requireOpen();
        return new FutureWork<>(CompletableFuture.runAsync(action, calls), done -> OptionalDouble.empty());
    }

    @Override
    public int getRank() {
        return members.own();
    }

    @Override
    public List<Integer> localRanks() {
        return getRank() < 0 ? List.of() : List.of(getRank());
    }

    @Override
    public int worldSize() {
        return members.size();
    }

    @Override
    public String getBackend() {
        return backend;
    }

    @Override
    public GroupTensor zeros(DType type, int partCount) {
        DeviceTensor tensor = new DeviceTensor(type, partCount);
        tensors.add(tensor);
        return tensor;
    }

    private DeviceTensor own(GroupTensor tensor) {
        if (tensor instanceof DeviceTensor own && own.isOf(this)) {
            return own;
        }
        throw new IllegalArgumentException("the tensor belongs to another group");
    }

    private CollectiveCall call(Collective collective, DType type, long count) {
        return CollectiveCall.of(collective, worldSize(), type, count)
                .withMemory(MemoryMode.SINGLE_OPERATOR, CCL_BYTES);
    }

    private Work run(CollectiveCall call, DeviceTensor output, DeviceTensor input) {
        return later(() -> collectives.run(call, input.address, output.address));
    }

    /** @param hasResult whether this rank's output is a result */
    private Work reduce(CollectiveCall call, ReduceOp op, DeviceTensor output, DeviceTensor input, boolean hasResult) {
        if (op != ReduceOp.AVG) {
            return run(call.withReduction(op.reduction()), output, input);
        }
        Averages.requireAverages(output.type);
        return later(() -> {
            collectives.run(call.withReduction(op.reduction()), input.address, output.address);
            if (hasResult) {
                Averages.divide(device(), output.address, output.type, output.partCount, worldSize());
            }
        });
    }

    @Override
    public Work allReduceAsync(GroupTensor tensor, ReduceOp op) {
        DeviceTensor own = own(tensor);
        CollectiveCall call =
                call(Collective.ALL_REDUCE, own.type, own.partCount).withInPlace(true);
        return reduce(call, op, own, own, members.own() >= 0);
    }

    @Override
    public Work allGatherAsync(GroupTensor output, GroupTensor input) {
        GroupChecks.requireGathered(output, input, worldSize());
        return run(call(Collective.ALL_GATHER, input.type(), input.partCount()), own(output), own(input));
    }

    @Override
    public Work reduceScatterAsync(GroupTensor output, GroupTensor input, ReduceOp op) {
        GroupChecks.requireGathered(input, output, worldSize());
        CollectiveCall call = call(Collective.REDUCE_SCATTER, output.type(), output.partCount());
        return reduce(call, op, own(output), own(input), members.own() >= 0);
    }

    @Override
    public Work broadcastAsync(GroupTensor tensor, int root) {
        GroupChecks.requireMember("root", root, worldSize());
        DeviceTensor own = own(tensor);
        return run(
                call(Collective.BROADCAST, own.type, own.partCount)
                        .withRoot(root)
                        .withInPlace(true),
                own,
                own);
    }

    @Override
    public Work reduceAsync(GroupTensor tensor, int root, ReduceOp op) {
        GroupChecks.requireMember("root", root, worldSize());
        DeviceTensor own = own(tensor);
        CollectiveCall call =
                call(Collective.REDUCE, own.type, own.partCount).withRoot(root).withInPlace(true);
        return reduce(call, op, own, own, members.own() == root);
    }

    @Override
    public Work gatherAsync(GroupTensor output, GroupTensor input, int root) {
        GroupChecks.requireMember("root", root, worldSize());
        GroupChecks.requireGathered(output, input, worldSize());
        return run(call(Collective.GATHER, input.type(), input.partCount()).withRoot(root), own(output), own(input));
    }

    @Override
    public Work scatterAsync(GroupTensor output, GroupTensor input, int root) {
        GroupChecks.requireMember("root", root, worldSize());
        GroupChecks.requireGathered(input, output, worldSize());
        return run(call(Collective.SCATTER, output.type(), output.partCount()).withRoot(root), own(output), own(input));
    }

    @Override
    public Work allToAllAsync(GroupTensor output, GroupTensor input) {
        int pieces = GroupChecks.requirePieces(output, input, worldSize());
        return run(call(Collective.ALL_TO_ALL, input.type(), pieces), own(output), own(input));
    }

    @Override
    public Work sendReceiveAsync(GroupTensor tensor, int from, int to) {
        GroupChecks.requireMember("from", from, worldSize());
        GroupChecks.requireMember("to", to, worldSize());
        DeviceTensor own = own(tensor);
        int n = worldSize();
        List<Long> counts = new ArrayList<>(Collections.nCopies(n * n, 0L));
        counts.set((from * n) + to, from == to ? 0L : (long) own.partCount);
        return run(call(Collective.SEND_RECV, own.type, 0).withCounts(counts), own, own);
    }

    @Override
    public Work isend(GroupTensor tensor, int peer) {
        return start(P2POp.isend(tensor, peer), "isend");
    }

    @Override
    public Work irecv(GroupTensor tensor, int peer) {
        return start(P2POp.irecv(tensor, peer), "irecv");
    }

    private Work start(P2POp operation, String call) {
        return batch(List.of(operation), call).get(0);
    }

    @Override
    public List<Work> batchIsendIrecv(List<P2POp> operations) {
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("a batch has at least one operation");
        }
        return batch(operations, "batchIsendIrecv");
    }

    private List<Work> batch(List<P2POp> operations, String call) {
        requireOpen();
        PointToPoint all = messages.of(call, backend);
        operations.forEach(each -> {
            own(each.tensor());
            messages.requirePeer(each.peer());
        });
        return operations.stream().map(each -> start(each, all)).toList();
    }

    private Work start(P2POp operation, PointToPoint all) {
        DeviceTensor tensor = own(operation.tensor());
        return new MessageWork(
                switch (operation.kind()) {
                    case ISEND -> all.send(tensor.type, tensor.partCount, tensor.address, operation.peer());
                    case IRECV -> all.receive(tensor.type, tensor.partCount, tensor.address, operation.peer());
                });
    }

    @Override
    public void monitoredBarrier(Duration timeout, boolean waitAllRanks) {
        requireOpen();
        messages.of("monitoredBarrier", backend).monitoredBarrier(timeout, waitAllRanks);
    }

    @Override
    public void barrier() {
        inOrder(() -> exchange.allGather(new byte[0]));
    }

    @Override
    public ProcessGroup newGroup(List<Integer> some) {
        GroupChecks.requireDifferentMembers(some, worldSize());
        List<Integer> ranks = some.stream().map(members.ranks()::get).toList();
        DeviceMembers part = new DeviceMembers(members.rank(), ranks);
        DeviceCollectives ofPart = maker.apply(part);
        GroupMessages[] messagesOfPart = new GroupMessages[1];
        inOrder(() -> messagesOfPart[0] = GroupMessages.of(backend, part, exchange));
        return new DeviceProcessGroup(backend, part, maker, ofPart, calls, messagesOfPart[0], exchange, true);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        try {
            messages.close(this::inOrder);
        } catch (RuntimeException e) {
            // What is left is released all the same.
            try {
                release();
            } catch (RuntimeException further) {
                e.addSuppressed(further);
            }
            throw e;
        }
        release();
    }

    private void release() {
        inOrder(() -> {
            collectives.close();
            tensors.forEach(DeviceTensor::free);
        });
        closed = true;
        if (!isPart) {
            calls.shutdown();
            exchange.close();
        }
    }
}
