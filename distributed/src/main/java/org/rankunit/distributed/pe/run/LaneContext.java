package org.rankunit.distributed.pe.run;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.MemorySpace;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeValue;
import org.rankunit.distributed.pe.PendingReceive;
import org.rankunit.distributed.pe.Shard;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.Speed;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.tensor.ElementMath;

/** The kernel language on one lane. */
final class LaneContext implements PeContext {

    /** What all lanes of a launch share. */
    record Shared(
            Launch launch,
            WorldPlacement placement,
            Costs costs,
            QueueSettings settings,
            Map<String, Long> arguments,
            Reduction reduction,
            List<StoredTensor> tensors) {}

    private static final class Pending implements PendingReceive {

        private final Direction direction;
        private final DType type;
        private final int[] shape;
        private final long number;
        private boolean taken;

        Pending(Direction direction, DType type, int[] shape, long number) {
            this.direction = direction;
            this.type = type;
            this.shape = shape;
            this.number = number;
        }

        @Override
        public Direction direction() {
            return direction;
        }

        @Override
        public DType type() {
            return type;
        }

        @Override
        public int[] shape() {
            return shape.clone();
        }
    }

    private final Lane lane;
    private final Shared shared;
    private final Costs costs;

    LaneContext(Lane lane, Shared shared) {
        this.lane = lane;
        this.shared = shared;
        this.costs = shared.costs();
    }

    @Override
    public int rank() {
        return lane.rank();
    }

    @Override
    public int worldSize() {
        return shared.placement().worldSize();
    }

    @Override
    public long argument(String name) {
        Long value = shared.arguments().get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no argument \"" + name + "\"; there are "
                    + new TreeSet<>(shared.arguments().keySet()));
        }
        return value;
    }

    @Override
    public Reduction reduction() {
        return shared.reduction();
    }

    @Override
    public int slotBytes() {
        return shared.settings().slotBytes();
    }

    @Override
    public boolean hasNeighbour(Direction direction) {
        return lane.queues().containsKey(direction);
    }

    @Override
    public Shard shard(int argument) {
        List<StoredTensor> tensors = shared.tensors();
        if (argument < 0 || argument >= tensors.size()) {
            throw new IllegalArgumentException("there is no tensor " + argument + "; the launch has " + tensors.size());
        }
        StoredTensor tensor = tensors.get(argument);
        long from = (long) tensor.placement().part(rank()) * tensor.columnsOfPart();
        return new Shard(argument, from, tensor.parts().partCount(), tensor.type());
    }

    private byte[] bytesOf(Shard shard, int from, int count) {
        Objects.checkFromIndexSize(from, count, shard.count());
        return shared.tensors().get(shard.argument()).bytes(rank());
    }

    @Override
    public PeValue load(Shard shard, int from, int count) {
        int size = shard.type().byteSize();
        byte[] bytes = new byte[count * size];
        System.arraycopy(bytesOf(shard, from, count), from * size, bytes, 0, bytes.length);
        lane.pass(costs.issue() + costs.hbm().time(bytes.length));
        return new PeValue(Values.decode(shard.type(), bytes), MemorySpace.TCM, count);
    }

    @Override
    public void store(Shard shard, int from, PeValue value) {
        if (value.type() != shard.type()) {
            throw new IllegalArgumentException(value.describe() + " cannot be stored in a tensor of " + shard.type());
        }
        byte[] target = bytesOf(shard, from, value.count());
        byte[] bytes = value.values().encode();
        System.arraycopy(bytes, 0, target, from * value.type().byteSize(), bytes.length);
        lane.pass(costs.issue() + costs.hbm().time(bytes.length));
    }

    private Speed path(Queue queue) {
        return costs.path(
                shared.placement().place(rank()),
                shared.placement().place(queue.other().rank()));
    }

    private Speed slots() {
        return costs.of(shared.settings().slotsIn());
    }

    @Override
    public void send(Direction direction, PeValue source) {
        Queue queue = lane.queue(direction);
        int bytes = source.bytes();
        if (bytes > slotBytes()) {
            throw new IllegalArgumentException("PE " + rank() + " sends " + source.describe() + " of " + bytes
                    + " bytes to the " + direction + ", but a slot has " + slotBytes()
                    + "; send parts, or make slot_size larger");
        }
        lane.pass(costs.issue());
        shared.launch()
                .whenReady(
                        lane,
                        direction,
                        queue::hasSlot,
                        "a free slot of PE " + queue.other().rank() + ", whose "
                                + shared.settings().slots() + " are in use",
                        () -> sendNow(queue, source));
    }

    private void sendNow(Queue queue, PeValue source) {
        waitUntil(queue.slotFreeAt());
        int bytes = source.bytes();
        Speed path = path(queue);
        double leaves = queue.leave(lane.now, bytes / path.bandwidth());
        double arrival = leaves + path.time(bytes) + slots().time(bytes);
        lane.messages++;
        lane.bytes += bytes;
        QueuePairs.End other = queue.other();
        shared.launch()
                .hand(new Packet.Message(other.rank(), other.direction(), queue.take(), arrival, source.values()));
    }

    /** Wait for a slot, as the settings say. */
    private void waitUntil(double free) {
        if (free <= lane.now) {
            return;
        }
        lane.waits++;
        lane.now = switch (shared.settings().backpressure()) {
            case SLEEP -> free + costs.wake();
            case POLL -> lane.now + (Math.ceil((free - lane.now) / costs.poll()) * costs.poll());
        };
    }

    @Override
    public PendingReceive recvAsync(Direction direction, DType type, int... shape) {
        Queue queue = lane.queue(direction);
        lane.pass(costs.issue());
        return new Pending(direction, type, shape.clone(), queue.ask());
    }

    @Override
    public PeValue await(PendingReceive pending) {
        if (!(pending instanceof Pending own)) {
            throw new IllegalArgumentException(pending + " belongs to another context");
        }
        return receive(own);
    }

    private PeValue receive(Pending pending) {
        if (pending.taken) {
            throw new IllegalStateException(
                    "PE " + rank() + " has already taken this message from the " + pending.direction);
        }
        pending.taken = true;
        Queue queue = lane.queue(pending.direction);
        Packet.Message[] got = new Packet.Message[1];
        shared.launch()
                .whenReady(
                        lane,
                        pending.direction,
                        () -> queue.has(pending.number),
                        "message " + pending.number + " of PE " + queue.other().rank(),
                        () -> got[0] = receiveNow(queue, pending.number));
        Values values = got[0].values();
        PeValue expected = new PeValue(values, MemorySpace.TCM, values.count());
        long count = 1;
        for (int size : pending.shape) {
            count *= size;
        }
        if (values.type() != pending.type || values.count() != count) {
            throw new IllegalStateException("PE " + rank() + " expects "
                    + PeValue.describe(pending.type, pending.shape) + " from the " + pending.direction + ", and PE "
                    + queue.other().rank() + " sent " + expected.describe());
        }
        return expected.withShape(pending.shape);
    }

    private Packet.Message receiveNow(Queue queue, long number) {
        Packet.Message message = Objects.requireNonNull(queue.remove(number));
        int bytes = message.values().count() * message.values().type().byteSize();
        lane.now = Math.max(lane.now, message.arrival());
        lane.pass(slots().time(bytes));
        // Credits do not share the channel of the data, so they do not wait for it.
        double arrival = lane.now + path(queue).time(shared.settings().creditBytes());
        QueuePairs.End other = queue.other();
        shared.launch().hand(new Packet.Credit(other.rank(), other.direction(), number, arrival));
        return message;
    }

    @Override
    public void recvInto(Direction direction, Shard destination, int from, int count) {
        PeValue value = recv(direction, destination.type(), count);
        store(destination, from, value);
    }

    private PeValue result(Values values, PeValue like) {
        lane.pass(costs.issue() + (values.count() / costs.elements()));
        return new PeValue(values, MemorySpace.TCM, like.shape());
    }

    @Override
    public PeValue add(PeValue a, PeValue b) {
        return result(ElementMath.add(a.values(), b.values()), a);
    }

    @Override
    public PeValue sub(PeValue a, PeValue b) {
        return result(ElementMath.sub(a.values(), b.values()), a);
    }

    @Override
    public PeValue mul(PeValue a, PeValue b) {
        return result(ElementMath.mul(a.values(), b.values()), a);
    }

    @Override
    public PeValue div(PeValue a, PeValue b) {
        return result(ElementMath.div(a.values(), b.values()), a);
    }

    @Override
    public PeValue maximum(PeValue a, PeValue b) {
        return result(ElementMath.maximum(a.values(), b.values()), a);
    }

    @Override
    public PeValue minimum(PeValue a, PeValue b) {
        return result(ElementMath.minimum(a.values(), b.values()), a);
    }

    @Override
    public PeValue fma(PeValue a, PeValue b, PeValue c) {
        return result(ElementMath.fma(a.values(), b.values(), c.values()), a);
    }

    @Override
    public PeValue clamp(PeValue a, double low, double high) {
        return result(ElementMath.clamp(a.values(), low, high), a);
    }

    @Override
    public PeValue softmax(PeValue a) {
        int[] shape = a.shape();
        return result(ElementMath.softmax(a.values(), shape.length == 0 ? 1 : shape[shape.length - 1]), a);
    }

    @Override
    public double nanoseconds() {
        return lane.now;
    }
}
