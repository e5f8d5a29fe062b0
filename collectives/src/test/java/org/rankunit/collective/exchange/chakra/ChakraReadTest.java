package org.rankunit.collective.exchange.chakra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.exchange.GoalFile;
import org.rankunit.collective.exchange.GoalOperation;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.GoalTimes;
import org.rankunit.collective.exchange.LocalCost;
import org.rankunit.collective.exchange.RandomTasks;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Topology;

/** Traces that are read: of our own, of other encoders, and files that are none. */
@Tag("unit")
class ChakraReadTest {

    private static final int SEEDS = 200;
    private static final int DAMAGED = 2000;

    /** One port, so that messages wait for each other. */
    private static final Topology TOPOLOGY =
            new Topology(new LinkModel(2e-6, 4e9, 1, true), new LinkModel(7e-6, 1e9, 1, true), 1, 0, 2e9, 0.25e-9);

    /** So that each computation of whole elements takes whole microseconds, which is what a trace can say. */
    private static final LocalCost WHOLE_MICROS = new LocalCost(250, 500);

    private static final int SEND = 5;
    private static final int RECV = 6;

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithms.all();
    }

    private static void assertIsReadBack(Schedule schedule, LocalCost cost, Path folder) throws IOException {
        ChakraTrace.write(schedule, cost, folder);
        GoalProgram written = GoalProgram.of(schedule, cost);

        GoalProgram read = ChakraTrace.read(folder);

        String name = schedule.algorithm() + ", " + schedule.call();
        assertThat(read).as(name).isEqualTo(written);
        GoalTimes expected = written.simulate(TOPOLOGY, schedule.call().servers(), GoalFile.SIGNAL_BYTES);
        assertThat(read.simulate(TOPOLOGY, schedule.call().servers(), GoalFile.SIGNAL_BYTES))
                .as(name)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void algorithmsTakeAsLongAsTheyDidWhenTheyWereWritten(CollectiveAlgorithm algorithm, @TempDir Path folder)
            throws IOException {
        for (int ranks = 1; ranks <= 4; ranks++) {
            CollectiveCall call = CollectiveCall.of(
                    algorithm.collective(),
                    ranks,
                    DType.FLOAT32,
                    algorithm.collective() == Collective.BARRIER ? 0 : 2L * ranks + 1);
            for (CollectiveCall each : List.of(call, call.withRanksPerServer(2))) {
                if (algorithm.unsupportedReason(each).isEmpty()) {
                    Path own = folder.resolve(ranks + "-" + each.servers().count());
                    assertIsReadBack(Schedule.of(algorithm, each), WHOLE_MICROS, own);
                }
            }
        }
    }

    @Test
    void randomSchedulesTakeAsLongAsTheyDidWhenTheyWereWritten(@TempDir Path folder) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2 + seed % 4, DType.FLOAT32, 64);
            Schedule schedule = Schedule.of(new RandomTasks(seed, 25, seed % 3), call);
            assertIsReadBack(schedule, WHOLE_MICROS, folder.resolve("seed" + seed));
        }
    }

    @Test
    void durationsAreRoundedUpToMicroseconds(@TempDir Path folder) throws IOException {
        Schedule schedule =
                Schedule.of(new RandomTasks(3, 40, 2), CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 64));
        LocalCost cost = new LocalCost(1.5, 0.75);
        ChakraTrace.write(schedule, cost, folder);
        GoalProgram written = GoalProgram.of(schedule, cost);

        GoalProgram read = ChakraTrace.read(folder);

        for (int rank = 0; rank < 3; rank++) {
            for (int number = 0; number < read.operations(rank).size(); number++) {
                GoalOperation before = written.operations(rank).get(number);
                boolean isCalc = before.kind() == GoalOperation.Kind.CALC;
                assertThat(read.operations(rank).get(number).amount())
                        .isEqualTo(isCalc ? (before.amount() + 999) / 1000 * 1000 : before.amount());
            }
        }
    }

    private static byte[] attribute(String name, String valueInHex) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] value = HexFormat.of().parseHex(valueInHex.replace(" ", ""));
        bytes.write(0x0a);
        bytes.write(name.length());
        bytes.writeBytes(name.getBytes(UTF_8));
        bytes.writeBytes(value);
        return bytes.toByteArray();
    }

    /** A node with attributes whose fields are in hexadecimal digits. */
    private static byte[] node(int id, int type, byte[]... attributes) {
        ByteArrayOutputStream node = new ByteArrayOutputStream();
        node.writeBytes(new byte[] {0x08, (byte) id, 0x18, (byte) type});
        for (byte[] attribute : attributes) {
            node.write(0x52);
            node.write(attribute.length);
            node.writeBytes(attribute);
        }
        return node.toByteArray();
    }

    private static byte[] with(byte[] node, String fieldsInHex) {
        byte[] more = HexFormat.of().parseHex(fieldsInHex.replace(" ", ""));
        byte[] all = Arrays.copyOf(node, node.length + more.length);
        System.arraycopy(more, 0, all, node.length, more.length);
        return all;
    }

    private static Path write(Path folder, int rank, byte[]... nodes) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(new byte[] {7, 0x0a, 5, '0', '.', '0', '.', '4'});
        for (byte[] node : nodes) {
            file.write(node.length);
            file.writeBytes(node);
        }
        return Files.write(folder.resolve("t." + rank + ".et"), file.toByteArray());
    }

    private static byte[] message(int id, int type, int peer, int bytes) {
        return node(
                id,
                type,
                attribute(type == SEND ? "comm_dst" : "comm_src", "38 0" + peer),
                attribute("comm_size", "48" + HexFormat.of().toHexDigits((byte) bytes)));
    }

    /** The fields that an integer may be in, each with the value 5. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "38 05",
                "48 05",
                "58 05",
                "68 05",
                "78 0a",
                "88 01 0a",
                "9d 01 05000000",
                "a9 01 0500000000000000",
                "bd 01 05000000",
                "c9 01 0500000000000000"
            })
    void integersOfAllTypesAreRead(String five, @TempDir Path folder) throws IOException {
        write(folder, 0, node(1, SEND, attribute("comm_dst", "38 01"), attribute("comm_size", five)));
        write(folder, 1, node(1, RECV, attribute("comm_src", "38 00"), attribute("comm_size", five)));

        assertThat(ChakraTrace.read(folder).operations(0).get(0).amount()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "38 ffffffffffffffffff01, comm_size = -1; expected 0 or more",
        "78 01, comm_size = -1; expected 0 or more",
        "68 ffffffffffffffffff01, comm_size is not a 64-bit integer; expected 0 or more",
        "ea 01 01 35, comm_size is not a 64-bit integer; expected 0 or more",
        "19 0000000000001440, comm_size is not a 64-bit integer; expected 0 or more",
    })
    void sizesThatAreNoneAreRefused(String value, String reason, @TempDir Path folder) throws IOException {
        Path file = write(folder, 0, node(9, SEND, attribute("comm_dst", "38 01"), attribute("comm_size", value)));
        write(folder, 1);

        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .isInstanceOf(ChakraFormatException.class)
                .hasMessage(file + ", byte 8: node 9 (COMM_SEND_NODE): " + reason);
    }

    /** Packed and one by one; a dependency of control is one of data. */
    @ParameterizedTest
    @ValueSource(strings = {"2a 02 01 02", "28 01 28 02", "22 02 01 02", "20 01 20 02", "20 01 2a 01 02"})
    void dependenciesAreReadHoweverTheyAreWritten(String fields, @TempDir Path folder) throws IOException {
        write(folder, 0, with(node(1, 4), "38 07"), node(2, 1), with(node(3, 4), fields));

        GoalProgram program = ChakraTrace.read(folder);

        assertThat(program.operations(0).get(2).requires()).containsExactly(0, 1);
        assertThat(program.operations(0).get(0).amount()).isEqualTo(7000);
    }

    @Test
    void computationsOfAStreamFollowEachOther(@TempDir Path folder) throws IOException {
        byte[] second = attribute("stream", "48 01");
        byte[] host = attribute("is_cpu_op", "d8 01 01");
        write(
                folder,
                0,
                with(node(1, 4), "38 07"),
                with(node(2, 4), "38 05"),
                with(node(3, 4, second), "38 09"),
                with(node(4, 4, host), "38 0a"));

        assertThat(ChakraTrace.read(folder).simulate(TOPOLOGY).seconds()).isEqualTo(12e-6);
    }

    @Test
    void aFolderANameAndAFileNameTheSameTraces(@TempDir Path folder) throws IOException {
        Path first = write(folder, 0, message(1, SEND, 1, 5));
        write(folder, 1, message(1, RECV, 0, 5));
        GoalProgram program = ChakraTrace.read(folder);

        assertThat(ChakraTrace.read(folder.resolve("t"))).isEqualTo(program);
        assertThat(ChakraTrace.read(first)).isEqualTo(program);
        assertThat(List.of(folder, folder.resolve("t"), first)).allMatch(ChakraTrace::areAt);
        assertThat(ChakraTrace.areAt(folder.resolve("ring.goal"))).isFalse();
    }

    @Test
    void filesThatAreMissingAreNamed(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .hasMessageStartingWith(folder + ": there are no execution traces. They are files NAME.0.et");

        write(folder, 0);
        write(folder, 2);

        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .hasMessage("There is no file of rank 1, t.1.et, but one of rank 2. Ranks are 0, 1, 2 and so on without"
                        + " a gap");

        Files.copy(folder.resolve("t.0.et"), folder.resolve("u.0.et"));

        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .hasMessage(folder + " has traces of 2 names (t, u). Name one of them, such as " + folder.resolve("t"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | byte 0: the file is empty",
                "070a05302e302e34 85 | byte 8: the file ends inside the length of a message",
                "070a05302e302e34 8080808080 01 | byte 8: the length of a message has more than 5 bytes",
                "070a05302e302e34 05 0801 | byte 8: a message of 5 bytes, but the file ends after 2",
                "070a05302e302e34 02 0a01 | byte 9: id of a node (field 1) has wire type 2, expected 0",
                "070a05302e302e34 03 120541 | byte 9: field 2 needs 5 bytes, but its message has only 1 left",
                "070a05302e302e34 02 0880 | byte 9: the message ends inside a number",
                "070a05302e302e34 0c 08 ffffffffffffffffffff01 | byte 9: a number has more than 10 bytes",
                "070a05302e302e34 02 0001 | byte 9: there is no field 0",
                "070a05302e302e34 02 0b01 | byte 9: id of a node (field 1) has wire type 3",
                "070a05302e302e34 03 f30101 | byte 9: field 30 has wire type 3, which does not exist",
                "0408011804 | byte 1: the file begins with a node, not with GlobalMetadata",
                "070a05302e302e34 04 08011807 | byte 8: node 1 (COMM_COLL_NODE): RankUnit runs COMP_NODE",
                "070a05302e302e34 04 08011802 | byte 8: node 1 (MEM_LOAD_NODE): RankUnit runs COMP_NODE",
                "070a05302e302e34 04 08011863 | byte 8: node 1 (type 99): RankUnit runs COMP_NODE",
                "070a05302e302e34 04 08011804 04 08011804 | byte 13: node 1 (COMP_NODE): another node has this id",
                "070a05302e302e34 06 080118042803 | byte 8: node 1 (COMP_NODE): it depends on node 3, which the file",
                "070a05302e302e34 06 080118042801 | nodes wait for each other in a cycle: 1 -> 1",
                "070a05302e302e34 06 080118042802 06 080218042801 | in a cycle: 1 -> 2 -> 1",
                "070a05302e302e34 0f 0801180438ffffffffffffffffff01 | duration_micros = 18446744073709551615: expected",
                "070a05302e302e34 04 08011805 | byte 8: node 1 (COMM_SEND_NODE): it has no attribute comm_dst",
            })
    void filesThatAreNoTracesAreRefusedWithTheirPlace(String hex, String reason, @TempDir Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve("bad.0.et"), HexFormat.of().parseHex(hex.replace(" ", "")));

        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .isInstanceOf(ChakraFormatException.class)
                .hasMessageStartingWith(file + ", byte ")
                .hasMessageContaining(reason);
    }

    @Test
    void messagesThatNobodyReceivesAreRefused(@TempDir Path folder) throws IOException {
        Path first = write(folder, 0, message(4, SEND, 1, 5));
        write(folder, 1);

        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .hasMessage(
                        first + ", byte 8: node 4 (COMM_SEND_NODE): rank 0 has 1 send to rank 1 with tag 0, and rank"
                                + " 1 has 0 receives; expected a receive of the same size for each send");

        Path second = write(folder, 1, message(6, RECV, 0, 4));

        assertThatThrownBy(() -> ChakraTrace.read(folder)).hasMessageContaining("are received with other sizes");

        write(folder, 0);

        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .hasMessageStartingWith(second + ", byte 8: node 6 (COMM_RECV_NODE): rank 0 has 0 sends to rank 1");
    }

    @Test
    void messagesOfOtherRanksAreRefused(@TempDir Path folder) throws IOException {
        write(folder, 0, node(1, SEND, attribute("comm_src", "38 01"), attribute("comm_dst", "38 01")));
        write(folder, 1);
        assertThatThrownBy(() -> ChakraTrace.read(folder))
                .hasMessageContaining("comm_src = 1, but this is the file of rank 0");

        write(folder, 0, message(1, SEND, 7, 1));
        assertThatThrownBy(() -> ChakraTrace.read(folder)).hasMessageContaining("comm_dst = 7; expected 0 to 1");
    }

    /** Whatever is damaged, there is a program or a sentence with the place. */
    @Test
    void damagedFilesAreReadOrRefusedInWords(@TempDir Path folder) throws IOException {
        Schedule schedule =
                Schedule.of(new RandomTasks(1, 12, 1), CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 8));
        Path file = ChakraTrace.write(schedule, folder).get(0);
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < DAMAGED; i++) {
            byte[] damaged =
                    random.nextInt(4) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            for (int change = random.nextInt(3); change >= 0 && damaged.length > 0; change--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Files.write(file, damaged);
            try {
                ChakraTrace.read(folder);
            } catch (ChakraFormatException e) {
                assertThat(e).hasMessageContaining(", byte ");
                refused++;
            }
        }
        assertThat(refused).isBetween(DAMAGED / 4, DAMAGED - 1);
    }

    @Test
    void fixedNumbersAreLittleEndian() {
        ByteBuffer bytes = ByteBuffer.allocate(5).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x0d).putInt(-2).flip();
        WireFields fields = new WireFields(Path.of("x"), bytes, 0);

        assertThat(fields.next()).isTrue();
        assertThat(fields.fixed("f", 4)).isEqualTo(-2);
    }
}
