package org.rankunit.pool.queue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apiguardian.api.API;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.RecordFile;

/**
 * The entry of one waiting request in the shared queue.
 *
 * @param order position by arrival: earlier requests have lower values; no two are equal
 * @param seen when its process last stamped it, in milliseconds since 1970
 * @param devices ids of the devices that the request may use
 * @param expectedMillis how long the lease will take, or {@link Backfill#UNKNOWN}
 * @param owner who made the request, and when
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Ticket(long order, long seen, int count, List<Integer> devices, long expectedMillis, OwnerRecord owner) {

    /** Size of an encoded ticket in bytes. */
    static final int SIZE = 1024;

    private static final int MAGIC = 0x52554e31;
    private static final int LONGEST_TEXT = 250;
    private static final int LONGEST_LIST = 400;

    /** No order, which counts microseconds, and no moment, which counts milliseconds, comes near it. */
    private static final long LATEST = Long.MAX_VALUE / 4;

    Ticket at(long newOrder) {
        return new Ticket(newOrder, seen, count, devices, expectedMillis, owner);
    }

    Ticket seenAt(long moment) {
        return new Ticket(order, moment, count, devices, expectedMillis, owner);
    }

    /** Returns exactly {@link #SIZE} bytes, with a checksum so that a partly written ticket is detected. */
    public byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(SIZE);
        bytes.position(Long.BYTES);
        bytes.putInt(MAGIC).putLong(order).putLong(seen).putInt(count).putLong(expectedMillis);
        bytes.putLong(owner.pid())
                .putLong(owner.processStart().toEpochMilli())
                .putLong(owner.since().toEpochMilli());
        put(bytes, list(), LONGEST_LIST);
        put(bytes, owner.user(), LONGEST_TEXT);
        put(bytes, owner.test(), LONGEST_TEXT);
        bytes.putLong(0, sumOf(bytes.array()));
        return bytes.array();
    }

    /**
     * If the list is too scattered to fit, writes the whole range from the first to the last device, which reserves too
     * many rather than too few.
     */
    private String list() {
        String exact = DeviceList.format(devices);
        return exact.length() <= LONGEST_LIST ? exact : devices.get(0) + "-" + devices.get(devices.size() - 1);
    }

    private static void put(ByteBuffer bytes, String text, int longest) {
        String cut = text;
        byte[] encoded = cut.getBytes(StandardCharsets.UTF_8);
        while (encoded.length > longest) {
            cut = cut.substring(0, Math.min(cut.length() - 1, longest));
            encoded = cut.getBytes(StandardCharsets.UTF_8);
        }
        bytes.putShort((short) encoded.length).put(encoded);
    }

    private static long sumOf(byte[] encoded) {
        CRC32 sum = new CRC32();
        sum.update(encoded, Long.BYTES, SIZE - Long.BYTES);
        return sum.getValue();
    }

    /**
     * Read what {@link #encode} wrote; empty if the bytes are not a valid ticket. A right checksum proves nothing: a process that
     * may write into the folder can make one. So lengths and numbers are checked, and nothing that is returned makes
     * arithmetic with it fail.
     */
    public static Optional<Ticket> decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded);
        if (encoded.length != SIZE || bytes.getInt(Long.BYTES) != MAGIC || bytes.getLong(0) != sumOf(encoded)) {
            return Optional.empty();
        }
        bytes.position(Long.BYTES + Integer.BYTES);
        try {
            long order = bytes.getLong();
            long seen = bytes.getLong();
            int count = bytes.getInt();
            long expected = bytes.getLong();
            long pid = bytes.getLong();
            Instant start = RecordFile.moment(bytes.getLong());
            Instant since = RecordFile.moment(bytes.getLong());
            List<Integer> devices = DeviceList.parse(text(bytes, LONGEST_LIST));
            String user = text(bytes, LONGEST_TEXT);
            OwnerRecord owner = new OwnerRecord(pid, start, user, text(bytes, LONGEST_TEXT), since, Optional.empty());
            if (count < 1 || expected < 0 || !isMoment(order) || !isMoment(seen)) {
                return Optional.empty();
            }
            return Optional.of(new Ticket(order, seen, count, devices, expected, owner));
        } catch (BufferUnderflowException | IllegalArgumentException | DateTimeException notATicket) {
            return Optional.empty();
        }
    }

    private static boolean isMoment(long number) {
        return number >= 0 && number <= LATEST;
    }

    private static String text(ByteBuffer bytes, int longest) {
        int length = Short.toUnsignedInt(bytes.getShort());
        if (length > longest) {
            throw new IllegalArgumentException("a text of " + length + " bytes");
        }
        byte[] encoded = new byte[length];
        bytes.get(encoded);
        return new String(encoded, StandardCharsets.UTF_8);
    }
}
