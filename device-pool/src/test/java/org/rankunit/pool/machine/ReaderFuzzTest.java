package org.rankunit.pool.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.health.HealthFile;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.lock.OwnerFile;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.PoolFolder;
import org.rankunit.pool.lock.RecordFile;
import org.rankunit.pool.lock.Sharing;
import org.rankunit.pool.queue.Ticket;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** What the vendor's tool prints, what is in the pool's folder, which everybody may write, and lists of devices. */
class ReaderFuzzTest extends FuzzedReaders {

    private static final int TICKET_BYTES = 1024;
    private static final OwnerRecord OWNER =
            OwnerRecord.ofThisProcess("A=\\Test\n", Instant.parse("2026-11-28T01:02:03Z"), Optional.empty());

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(
                machine("npu-smi-a2", "a2"),
                machine("npu-smi-a3", "a3"),
                machine("npu-smi-a5", "a5"),
                ticket(),
                record(),
                owner(),
                health(),
                deviceList());
    }

    /** All three tables of the vendor's tool, divided by lines of their own, and what becomes of them. */
    private static FuzzTarget<?> machine(String name, String kind) throws IOException {
        String end = "\n=====\n";
        Path root = Files.createDirectories(Path.of("target", "fuzz", "machine-" + kind));
        if (!Files.exists(root.resolve("dev"))) {
            Sample.in(root).withDevices(0, 15);
        }
        String info = Sample.text(kind + "-info.txt");
        String mapping = Sample.text(kind + "-mapping.txt");
        String links = Sample.text(kind + "-topo.txt");
        return FuzzTarget.ofBytes(name, input -> {
                    String[] tables = new String(input, UTF_8).split(end, 3);
                    Sample sample = Sample.in(root).answering("info", tables[0]);
                    sample.answering("info -m", tables.length > 1 ? tables[1] : "");
                    return sample.answering("info -t topo", tables.length > 2 ? tables[2] : "")
                            .machine();
                })
                .rounds(1_000)
                .then(ReaderFuzzTest::requireUsable)
                .from(info + end + mapping + end + links)
                .from(info.replace("Health", "Health Health")
                        + end
                        + mapping.replace("Chip ID", "NPU ID")
                        + end
                        + links);
    }

    private static void requireUsable(Machine machine) {
        assertThat(machine.ids()).doesNotHaveDuplicates();
        assertThat(EnvironmentGrant.of(machine, Map.of("ASCEND_RT_VISIBLE_DEVICES", "0,1")))
                .isNotNull();
        assertThat(machine.toString()).isNotBlank();
    }

    /** Whoever may write into the folder can make a right checksum. */
    private static FuzzTarget<?> ticket() {
        return FuzzTarget.ofBytes("ticket", input -> Ticket.decode(signed(input)))
                .then(read -> read.ifPresent(ReaderFuzzTest::requireRoundTrip))
                .from(new Ticket(7, 8, 2, List.of(0, 1), 60_000, OWNER).encode())
                .from(withLength((short) -1))
                .from(withLength((short) 401));
    }

    private static byte[] signed(byte[] input) {
        byte[] ticket = Arrays.copyOf(input, TICKET_BYTES);
        CRC32 sum = new CRC32();
        sum.update(ticket, Long.BYTES, TICKET_BYTES - Long.BYTES);
        ByteBuffer.wrap(ticket).putLong(0, sum.getValue());
        return ticket;
    }

    /** The length of its first text is this one. */
    private static byte[] withLength(short length) {
        byte[] ticket = new Ticket(7, 8, 2, List.of(0, 1), 60_000, OWNER).encode();
        ByteBuffer.wrap(ticket).putShort(64, length);
        return ticket;
    }

    private static void requireRoundTrip(Ticket ticket) {
        byte[] encoded = ticket.encode();
        assertThat(Ticket.decode(encoded).orElseThrow().encode()).isEqualTo(encoded);
    }

    private static FuzzTarget<?> record() {
        return FuzzTarget.ofFile("record-file", "3.record", file -> new RecordFile(file, Sharing.ONE_USER).read())
                .then(read -> assertThat(read).isPresent())
                .from(OwnerFile.encode(OWNER))
                .from("a=b\n=\nc=\\", "\\=\\n\\q");
    }

    private static FuzzTarget<?> owner() throws IOException {
        PoolFiles files = PoolFiles.at(PoolFolder.prepare(Files.createDirectories(Path.of("target", "fuzz", "pool"))));
        files.preparePlatform("sim");
        OwnerFile file = files.ownerFile("sim", 3);
        return FuzzTarget.ofBytes("owner-file", input -> {
                    Files.write(file.path(), input);
                    return file.read();
                })
                // Not this process: to ask the system when it started takes most of the time.
                .from(new String(OwnerFile.encode(OWNER), UTF_8).replaceFirst("pid=\\d+", "pid=999999999"));
    }

    private static FuzzTarget<?> health() {
        return FuzzTarget.ofFile(
                        "health-file",
                        "3.health",
                        file -> new HealthFile(
                                        Objects.requireNonNull(
                                                file.toAbsolutePath().getParent()),
                                        3,
                                        Sharing.ONE_USER)
                                .read())
                .then(health -> assertThat(health).isInstanceOf(DeviceHealth.class))
                .from(
                        "suspect=it hangs\nsince=2026-11-21T05:09:00Z\n",
                        "quarantined=it hangs\nsince=2026-11-21T05:09:00Z\nuntil=2999-11-21T05:09:00Z\n");
    }

    private static FuzzTarget<?> deviceList() {
        return FuzzTarget.ofBytes("device-list", input -> DeviceList.parse(new String(input, UTF_8)))
                .refusesWith(IllegalArgumentException.class)
                .then(devices ->
                        assertThat(DeviceList.parse(DeviceList.format(devices))).isEqualTo(devices))
                .from("0,2-4,7", " 4 - 5 ,9999", "00000000000000000001-3");
    }
}
