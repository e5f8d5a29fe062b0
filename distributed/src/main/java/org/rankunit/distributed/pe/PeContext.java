package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.Reduction;

/**
 * What a kernel can do on its processing element (PE). Each operation takes modelled time; see {@link #nanoseconds}.
 *
 * <p>Operands of arithmetic have the same type and as many elements, and so has the result, which lies in TCM. Floating types are
 * computed as float32 (float64 as float64) and each result is rounded to nearest, ties to even. Integers wrap around. Maximum and
 * minimum are NaN if an operand is.
 *
 * <p>Threads: a kernel uses its context on the thread that runs it.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface PeContext {

    /** The number of this PE in the launch, in [0, {@link #worldSize()}). */
    int rank();

    /** How many PEs take part. */
    int worldSize();

    /**
     * Get a number that the algorithm has passed to all kernels; see {@link PeAlgorithm#kernelArgs}.
     *
     * @throws IllegalArgumentException if there is none of this name; the message lists those that there are
     */
    long argument(String name);

    /** The reduction that the caller asked for. */
    Reduction reduction();

    /** The largest message in bytes: the size of a slot. */
    int slotBytes();

    /** Whether there is a queue pair in this direction. */
    boolean hasNeighbour(Direction direction);

    /**
     * Get this PE's part of a tensor.
     *
     * @param argument number of the tensor among those of the launch
     * @throws IllegalArgumentException if there are not so many, or if the tensor has no part here
     */
    Shard shard(int argument);

    /** Copy all elements of a part from HBM to TCM. */
    default PeValue load(Shard shard) {
        return load(shard, 0, shard.count());
    }

    /**
     * Copy elements from HBM to TCM.
     *
     * @param from the first element in the part
     * @throws IndexOutOfBoundsException if they are not inside
     */
    PeValue load(Shard shard, int from, int count);

    /** Copy elements to the beginning of a part in HBM. */
    default void store(Shard shard, PeValue value) {
        store(shard, 0, value);
    }

    /**
     * Copy elements to HBM.
     *
     * @param from the first element in the part
     * @throws IndexOutOfBoundsException if there is not so much room
     * @throws IllegalArgumentException if the types differ
     */
    void store(Shard shard, int from, PeValue value);

    /**
     * Send a message to a neighbour. It is taken at once: the source may be overwritten when this returns. Waits while all slots of
     * the neighbour are in use.
     *
     * @throws IllegalArgumentException if there is no neighbour in this direction, or if the message is larger than a slot
     */
    void send(Direction direction, PeValue source);

    /**
     * Receive the next message from a neighbour, in TCM.
     *
     * @throws IllegalArgumentException if there is no neighbour in this direction
     * @throws IllegalStateException if the message has another type or number of elements
     */
    default PeValue recv(Direction direction, DType type, int... shape) {
        return await(recvAsync(direction, type, shape));
    }

    /** Receive the next message into elements of a tensor: its slot is copied there, not to TCM. */
    void recvInto(Direction direction, Shard destination, int from, int count);

    /** Ask for the next message from a neighbour; {@link #await} gets it. Messages are numbered in the order of these calls. */
    PendingReceive recvAsync(Direction direction, DType type, int... shape);

    /**
     * Get a message that was asked for. Only then its slot is free again.
     *
     * @throws IllegalStateException if it was got before
     */
    PeValue await(PendingReceive pending);

    PeValue add(PeValue a, PeValue b);

    PeValue sub(PeValue a, PeValue b);

    PeValue mul(PeValue a, PeValue b);

    /**
     * Divide.
     *
     * @throws ArithmeticException if an integer is divided by 0
     */
    PeValue div(PeValue a, PeValue b);

    PeValue maximum(PeValue a, PeValue b);

    PeValue minimum(PeValue a, PeValue b);

    /** Compute {@code a * b + c}, rounded once in the type of the computation. */
    PeValue fma(PeValue a, PeValue b, PeValue c);

    /** Limit elements to [low, high]. */
    PeValue clamp(PeValue a, double low, double high);

    /**
     * Compute {@code exp(x) / sum(exp(x))} along the last dimension.
     *
     * @throws IllegalArgumentException if the type is not floating
     */
    PeValue softmax(PeValue a);

    /** Reduce two values as {@link #reduction()} says. */
    default PeValue reduce(PeValue a, PeValue b) {
        return switch (reduction()) {
            case SUM -> add(a, b);
            case PROD -> mul(a, b);
            case MAX -> maximum(a, b);
            case MIN -> minimum(a, b);
        };
    }

    /** Divide, rounding up: how many parts of {@code b} are needed for {@code a}. Takes no time. */
    default int cdiv(int a, int b) {
        return Math.floorDiv(a + b - 1, b);
    }

    /** The modelled time of this PE since the launch began, in nanoseconds. */
    double nanoseconds();
}
