package org.rankunit.collective.exchange.chakra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.exchange.GoalOperation;
import org.rankunit.collective.exchange.GoalOperation.Kind;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.LocalCost;
import org.rankunit.collective.exchange.chakra.WireReader.Field;
import org.rankunit.collective.schedule.Schedule;

/** The bytes of Chakra traces, taken apart by a decoder of its own. Field numbers are those of the schema. */
@Tag("ranks")
class ChakraTraceTest {

    private static final LocalCost COST = new LocalCost(0.5, 0.25);

    private static Schedule ring(int ranks) {
        return Schedule.of(
                new RingAllReduce(), CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, 1000L * ranks));
    }

    private static Field only(List<Field> fields, int number) {
        List<Field> found =
                fields.stream().filter(field -> field.number() == number).toList();
        assertThat(found).as("field " + number).hasSize(1);
        return found.get(0);
    }

    /** The attributes of a node: the number of the field that has the value, and the value. */
    private static Map<String, List<Long>> attributes(List<Field> node) {
        return node.stream()
                .filter(field -> field.number() == 10)
                .map(Field::message)
                .collect(toMap(attribute -> only(attribute, 1).text(), attribute -> {
                    assertThat(attribute).hasSize(2);
                    return List.of(
                            (long) attribute.get(1).number(), attribute.get(1).value());
                }));
    }

    @Test
    void eachRankHasAFileWithItsNumber(@TempDir Path folder) throws IOException {
        Path made = folder.resolve("traces").resolve("ring");

        List<Path> files = ChakraTrace.write(ring(3), made);

        assertThat(files)
                .containsExactly(
                        made.resolve("RingAllReduce.0.et"),
                        made.resolve("RingAllReduce.1.et"),
                        made.resolve("RingAllReduce.2.et"))
                .allSatisfy(file -> assertThat(file).isNotEmptyFile());
    }

    @Test
    void aFileBeginsWithItsVersion(@TempDir Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(ChakraTrace.write(ring(2), folder).get(0));

        // 7 bytes follow: field 1, delimited, 5 bytes of text.
        assertThat(Arrays.copyOf(bytes, 8)).containsExactly(7, 0x0a, 5, '0', '.', '0', '.', '4');
    }

    @Test
    void nodesAreWhatTheProgramDoes(@TempDir Path folder) throws IOException {
        Schedule schedule = ring(3);
        GoalProgram program = GoalProgram.of(schedule, COST);

        List<Path> files = ChakraTrace.write(schedule, COST, folder);

        for (int rank = 0; rank < 3; rank++) {
            List<List<Field>> messages = WireReader.messages(Files.readAllBytes(files.get(rank)));
            List<GoalOperation> operations = program.operations(rank);
            assertThat(messages).hasSize(operations.size() + 1);
            for (int number = 0; number < operations.size(); number++) {
                checkNode(messages.get(number + 1), rank, number, operations.get(number));
            }
        }
    }

    private static void checkNode(List<Field> node, int rank, int number, GoalOperation operation) {
        assertThat(only(node, 1).value()).isEqualTo(number + 1);
        assertThat(only(node, 2).text()).isEqualTo(operation.toString());
        List<Field> required =
                node.stream().filter(field -> field.number() == 5).toList();
        if (operation.requires().isEmpty()) {
            assertThat(required).isEmpty();
        } else {
            assertThat(only(node, 5).packed())
                    .isEqualTo(
                            operation.requires().stream().map(each -> each + 1L).toList());
        }
        if (operation.kind() == Kind.CALC) {
            assertThat(only(node, 3).value()).isEqualTo(4);
            assertThat(only(node, 7).value()).isEqualTo((long) Math.ceil(operation.amount() / 1000.0));
            assertThat(attributes(node)).isEqualTo(withStream(Map.of("is_cpu_op", List.of(27L, 0L)), operation));
        } else {
            boolean sends = operation.kind() == Kind.SEND;
            assertThat(only(node, 3).value()).isEqualTo(sends ? 5 : 6);
            assertThat(attributes(node))
                    .isEqualTo(withStream(
                            Map.of(
                                    "comm_src", List.of(7L, (long) (sends ? rank : operation.peer())),
                                    "comm_dst", List.of(7L, (long) (sends ? operation.peer() : rank)),
                                    "comm_tag", List.of(7L, (long) operation.tag()),
                                    "comm_size", List.of(9L, operation.amount()),
                                    "is_cpu_op", List.of(27L, 0L)),
                            operation));
        }
    }

    private static Map<String, List<Long>> withStream(Map<String, List<Long>> attributes, GoalOperation operation) {
        Map<String, List<Long>> all = new HashMap<>(attributes);
        if (operation.cpu() != 0) {
            all.put("stream", List.of(9L, (long) operation.cpu()));
        }
        return all;
    }

    /** As other encoders do: files can be compared byte by byte. */
    @Test
    void aDurationOfZeroIsLeftOut(@TempDir Path folder) throws IOException {
        List<Path> files = ChakraTrace.write(ring(2), folder);

        List<Field> copy = WireReader.messages(Files.readAllBytes(files.get(0))).get(1);

        assertThat(copy).extracting(Field::number).containsExactly(1, 2, 3, 10);
    }

    @Test
    void allAlgorithmsCanBeWritten(@TempDir Path folder) throws IOException {
        for (CollectiveAlgorithm algorithm : BuiltinAlgorithms.all()) {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), 5, DType.FLOAT32, 10);
            if (algorithm.unsupportedReason(call).isPresent()) {
                continue;
            }
            Schedule schedule = Schedule.of(algorithm, call);
            List<Path> files = ChakraTrace.write(schedule, folder);
            long nodes = 0;
            for (Path file : files) {
                nodes += WireReader.messages(Files.readAllBytes(file)).size() - 1L;
            }
            assertThat(nodes)
                    .as(algorithm.name())
                    .isEqualTo(GoalProgram.of(schedule, LocalCost.FREE).size());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 08 00",
        "1, 08 01",
        "127, 08 7f",
        "128, 08 80 01",
        "300, 08 ac 02",
        "2147483648, 08 80 80 80 80 08",
        "9223372036854775807, 08 ff ff ff ff ff ff ff ff 7f",
        "-1, 08 ff ff ff ff ff ff ff ff ff 01"
    })
    void numbersAreVarints(long value, String bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        new WireMessage().number(1, value).writeTo(out);

        List<String> hex = new ArrayList<>();
        for (byte each : out.toByteArray()) {
            hex.add(String.format("%02x", each));
        }
        assertThat(String.join(" ", hex.subList(1, hex.size()))).isEqualTo(bytes);
        assertThat(out.toByteArray()[0]).isEqualTo((byte) (hex.size() - 1));
    }

    /** An opinion from outside, where there is one: {@code protoc} takes a node apart without knowing its schema. */
    @Test
    void protocReadsANode(@TempDir Path folder) throws Exception {
        assumeTrue(isInstalled("protoc"), "protoc is not installed");
        byte[] file = Files.readAllBytes(ChakraTrace.write(ring(2), folder).get(0));
        // The first node follows the metadata of 8 bytes, and is shorter than 128 bytes.
        Path node = Files.write(folder.resolve("node"), Arrays.copyOfRange(file, 9, 9 + file[8]));

        Process process = new ProcessBuilder("protoc", "--decode_raw")
                .redirectInput(node.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThatCode(() -> assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue())
                .doesNotThrowAnyException();
        assertThat(said).startsWith("1: 1\n2: \"calc 0\"\n3: 4\n");
    }

    private static boolean isInstalled(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
