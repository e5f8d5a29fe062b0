package org.rankunit.distributed.pe.run;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One end of a queue pair: the slots of this processing element, and what it knows of those at the other end. A message has the slot
 * of its number, modulo the number of slots, at both ends. Guarded by the lock of the launch.
 */
final class Queue {

    private final QueuePairs.End other;

    /** Messages that have arrived and have not been taken, by their numbers. */
    private final Map<Long, Packet.Message> arrived = new HashMap<>();

    /** When each slot of the other end was free again; NaN while it is in use. */
    private final double[] freeAt;

    private long sent;
    private long asked;

    /** When the data that was sent last leaves this end. */
    private double outgoingUntil;

    Queue(QueuePairs.End other, int slots) {
        this.other = other;
        this.freeAt = new double[slots];
    }

    QueuePairs.End other() {
        return other;
    }

    private int slot(long number) {
        return (int) (number % freeAt.length);
    }

    /** Whether the next message has a free slot. */
    boolean hasSlot() {
        return !Double.isNaN(freeAt[slot(sent)]);
    }

    /** When the slot of the next message became free. */
    double slotFreeAt() {
        return freeAt[slot(sent)];
    }

    /** Use the slot of the next message; returns the number of the message. */
    long take() {
        freeAt[slot(sent)] = Double.NaN;
        return sent++;
    }

    void credit(Packet.Credit credit) {
        freeAt[slot(credit.number())] = credit.arrival();
    }

    /** The number of the next message that this end asks for. */
    long ask() {
        return asked++;
    }

    void arrive(Packet.Message message) {
        arrived.put(message.number(), message);
    }

    boolean has(long number) {
        return arrived.containsKey(number);
    }

    Packet.@Nullable Message remove(long number) {
        return arrived.remove(number);
    }

    /** Messages that have not been taken. */
    int left() {
        return arrived.size();
    }

    /** Let data leave, after what was sent before; returns when it begins to. */
    double leave(double now, double duration) {
        double begin = Math.max(now, outgoingUntil);
        outgoingUntil = begin + duration;
        return begin;
    }

    @Override
    public String toString() {
        return "queue with " + other + ", " + sent + " sent, " + asked + " asked for, free since "
                + Arrays.toString(freeAt);
    }
}
