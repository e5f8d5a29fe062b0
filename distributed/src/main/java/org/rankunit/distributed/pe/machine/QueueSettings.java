package org.rankunit.distributed.pe.machine;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;
import org.rankunit.distributed.pe.MemorySpace;

/**
 * What the queue pairs between processing elements are like.
 *
 * @param slotsIn where the slots of the receiver lie
 * @param slots of each queue
 * @param slotBytes the largest message
 * @param creditBytes what it takes to tell the sender that a slot is free again
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record QueueSettings(MemorySpace slotsIn, Backpressure backpressure, int slots, int slotBytes, int creditBytes) {

    /**
     * What a sender does while all slots are in use.
     *
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public enum Backpressure {
        /** It sleeps until a slot is free, and takes time to wake up. */
        SLEEP,
        /** It looks again and again, and goes on at the first look that finds a free slot. */
        POLL;

        /** The name in files: {@code sleep}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static final int DEFAULT_SLOTS = 4;
    public static final int DEFAULT_SLOT_BYTES = 4096;
    public static final int DEFAULT_CREDIT_BYTES = 16;

    public QueueSettings {
        if (slots < 1 || slotBytes < 1 || creditBytes < 1) {
            throw new IllegalArgumentException("a queue has at least one slot of one byte, and a credit one byte: "
                    + slots + ", " + slotBytes + ", " + creditBytes);
        }
    }

    public static QueueSettings standard() {
        return new QueueSettings(
                MemorySpace.TCM, Backpressure.SLEEP, DEFAULT_SLOTS, DEFAULT_SLOT_BYTES, DEFAULT_CREDIT_BYTES);
    }
}
