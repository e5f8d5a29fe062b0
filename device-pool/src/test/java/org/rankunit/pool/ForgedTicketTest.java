package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.pool;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.queue.Ticket;

/** Tickets with a right checksum that no pool has written. */
@Tag("unit")
@Timeout(60)
class ForgedTicketTest {

    private static final int SIZE = 1024;
    private static final int ORDER = 12;
    private static final int SEEN = 20;
    private static final int COUNT = 28;
    private static final int EXPECTED = 32;
    private static final int START = 48;
    private static final int SINCE = 56;
    /** Where the first of the three texts begins, by its length of two bytes. */
    private static final int TEXTS = 64;

    @TempDir
    Path folder;

    private static byte[] ticket() {
        OwnerRecord owner = OwnerRecord.ofThisProcess("WideTest", Instant.now(), Optional.empty());
        return new Ticket(7, System.currentTimeMillis(), 2, List.of(0, 1), 60_000, owner).encode();
    }

    private static byte[] signed(byte[] ticket) {
        CRC32 sum = new CRC32();
        sum.update(ticket, Long.BYTES, SIZE - Long.BYTES);
        ByteBuffer.wrap(ticket).putLong(0, sum.getValue());
        return ticket;
    }

    @ParameterizedTest
    @CsvSource({"-1", "-32768", "401", "1000", "32767"})
    void aLengthThatNoTextHasIsThatOfADamagedTicketAndNobodyFails(short length) throws Exception {
        byte[] forged = ticket();
        ByteBuffer.wrap(forged).putShort(TEXTS, length);
        requireDamaged(forged);
    }

    @ParameterizedTest
    @CsvSource({
        COUNT + ", -1, 4",
        COUNT + ", 0, 4",
        ORDER + ", 9223372036854775807, 8",
        ORDER + ", -9223372036854775808, 8",
        SEEN + ", -9223372036854775808, 8",
        EXPECTED + ", -9223372036854775808, 8",
        START + ", -9223372036854775808, 8",
        SINCE + ", 9223372036854775807, 8",
    })
    void aNumberThatNoPoolWritesIsThatOfADamagedTicketAndNobodyFails(int at, long number, int bytes) throws Exception {
        byte[] forged = ticket();
        if (bytes == Long.BYTES) {
            ByteBuffer.wrap(forged).putLong(at, number);
        } else {
            ByteBuffer.wrap(forged).putInt(at, (int) number);
        }
        requireDamaged(forged);
    }

    /** It is in the first slot, as that of a living process is. */
    private void requireDamaged(byte[] forged) throws Exception {
        assertThat(Ticket.decode(ticket())).isPresent();
        assertThat(Ticket.decode(signed(forged))).isEmpty();

        DevicePool pool = pool(folder, 2);
        pool.lease(devices(1), SOON).close();
        Path queue = folder.resolve(PLATFORM).resolve("queue");
        Files.write(queue, forged);
        assertThat(pool.queue(PLATFORM)).isEmpty();
        assertThat(pool.status(PLATFORM)).hasSize(2);
        pool.lease(devices(2).expecting(Duration.ofMinutes(1)), SOON).close();
    }

    @Test
    void aRandomTicketWithARightChecksumIsReadAsTheReferenceReadsIt() throws Exception {
        Random random = new Random(20_261_128);
        int whole = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] forged = ticket();
            int changes = random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                int at = Long.BYTES + random.nextInt(100);
                forged[at] = (byte) random.nextInt();
            }
            signed(forged);
            Optional<Ticket> read = Ticket.decode(forged);
            assertThat(read.isPresent()).as("round %d", round).isEqualTo(isTicket(forged));
            whole += read.isPresent() ? 1 : 0;
        }
        assertThat(whole).isBetween(1, 49_999);
    }

    /** Reads a ticket field by field from a stream, and asks of each whether a pool could have written it. */
    private static boolean isTicket(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.readLong();
        boolean right = in.readInt() == 0x52554e31;
        right &= isSmall(in.readLong());
        right &= isSmall(in.readLong());
        right &= in.readInt() > 0;
        right &= in.readLong() >= 0;
        in.readLong();
        right &= isInTime(in.readLong());
        right &= isInTime(in.readLong());
        int[] longest = {400, 250, 250};
        for (int text = 0; text < longest.length; text++) {
            int length = in.readUnsignedShort();
            if (length > longest[text]) {
                return false;
            }
            String read = new String(in.readNBytes(length), StandardCharsets.UTF_8);
            right &= text > 0 || isList(read);
        }
        return right;
    }

    private static boolean isSmall(long number) {
        return number >= 0 && number <= Long.MAX_VALUE / 4;
    }

    private static boolean isInTime(long millis) {
        return millis >= 0 && millis < 253_402_300_800_000L;
    }

    private static boolean isList(String text) {
        try {
            DeviceList.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void aQueueThatIsTooLongIsReadAsFarAsPoolsWriteIt() throws Exception {
        DevicePool pool = pool(folder, 2);
        pool.lease(devices(1), SOON).close();
        Path queue = folder.resolve(PLATFORM).resolve("queue");
        try (RandomAccessFile file = new RandomAccessFile(queue.toFile(), "rw")) {
            // Sparse: it takes no room on the disk. Three times as many bytes as an int counts.
            file.setLength(6L << 30);
        }
        assertThat(pool.queue(PLATFORM)).isEmpty();
        pool.lease(devices(2), SOON).close();
        assertThat(Files.size(queue)).isZero();
    }
}
