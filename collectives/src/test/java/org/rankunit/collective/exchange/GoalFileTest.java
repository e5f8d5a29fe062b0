package org.rankunit.collective.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.mesh.MeshAllGather;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Topology;

/** The text of GOAL files, written and read. A latency is 2 us here, and a byte takes 1 ns. */
@Tag("unit")
class GoalFileTest {

    private static final Topology MACHINE = Topology.uniform(new LinkModel(2e-6, 1e9, 1, true));
    private static final double ROUNDING = 1e-15;

    /** Rank 0 computes, sends, and goes on once the answer has come; rank 1 answers. */
    private static final String PING_PONG = """
            num_ranks 2

            rank 0 {
            l1: calc 500
            l2: send 64b to 1 tag 7
            l2 requires l1
            l3: recv 32b from 1 tag 7 cpu 1
            l4: calc 100 cpu 1
            l4 irequires l2
            l4 requires l3
            }

            rank 1 {
            l1: recv 64b from 0 tag 7
            l2: send 32b to 0 tag 7 cpu 2 nic 1
            l2 requires l1
            }
            """;

    private static GoalProgram read(String text) throws IOException {
        return GoalFile.read(new StringReader(text));
    }

    private static String written(GoalProgram program) throws IOException {
        StringWriter writer = new StringWriter();
        GoalFile.write(program, writer);
        return writer.toString();
    }

    @Test
    void aFileIsWrittenAsItWasRead() throws IOException {
        GoalProgram program = read(PING_PONG);

        assertThat(written(program)).isEqualTo(PING_PONG);
        assertThat(read(written(program))).isEqualTo(program).hasSameHashCodeAs(program);
        assertThat(program).hasToString("6 operations of 2 ranks");
    }

    @Test
    void operationsKnowWhatTheyDependOn() throws IOException {
        assertThat(read(PING_PONG).operations(0))
                .containsExactly(
                        new GoalOperation(GoalOperation.Kind.CALC, 500, -1, 0, 0, 0, List.of(), List.of()),
                        new GoalOperation(GoalOperation.Kind.SEND, 64, 1, 7, 0, 0, List.of(0), List.of()),
                        new GoalOperation(GoalOperation.Kind.RECV, 32, 1, 7, 1, 0, List.of(), List.of()),
                        new GoalOperation(GoalOperation.Kind.CALC, 100, -1, 0, 1, 0, List.of(2), List.of(1)));
    }

    @Test
    void messagesAndComputationsTakeTheirTime() throws IOException {
        GoalTimes times = read(PING_PONG).simulate(MACHINE);

        // 0.5 us, a message of 2.064 us, one of 2.032 us, and 0.1 us.
        assertThat(times.seconds()).isCloseTo(4.696e-6, within(ROUNDING));
        assertThat(times.ends().get(1)).isCloseTo(4.596e-6, within(ROUNDING));
        assertThat(times.messages()).isEqualTo(2);
        assertThat(times.bytes()).isEqualTo(96);
    }

    @Test
    void signalsAreFreeIfTheCallerSaysSo() throws IOException {
        GoalTimes times = read(PING_PONG).simulate(MACHINE, Servers.one(2), 32);

        assertThat(times.seconds()).isCloseTo(2.664e-6, within(ROUNDING));
        assertThat(times.messages()).isEqualTo(1);
    }

    @Test
    void computationsOfOneCpuFollowEachOther() throws IOException {
        String one = "num_ranks 1\nrank 0 {\na: calc 300\nb: calc 400\nc: calc 50 cpu 1\n}\n";

        assertThat(read(one).simulate(MACHINE).seconds()).isCloseTo(700e-9, within(ROUNDING));
    }

    @Test
    void whatRequiresAStartDoesNotWaitForTheEnd() throws IOException {
        String end = "num_ranks 1\nrank 0 {\na: calc 300\nb: calc 400 cpu 1\nb requires a\n}\n";

        assertThat(read(end).simulate(MACHINE).seconds()).isCloseTo(700e-9, within(ROUNDING));
        assertThat(read(end.replace("requires", "irequires")).simulate(MACHINE).seconds())
                .isCloseTo(400e-9, within(ROUNDING));
    }

    @Test
    void messagesOfOneTagAreReceivedInTheOrderOfTheirArrival() throws IOException {
        String text = """
                num_ranks 2
                rank 0 {
                a: send 1000b to 1
                b: send 1000b to 1
                b requires a
                }
                rank 1 {
                a: recv 1000b from 0
                b: recv 1000b from 0
                c: calc 10000
                c requires a
                }
                """;

        // The first message takes 3 us, and 10 us follow; the second one has come long before.
        assertThat(read(text).simulate(MACHINE).seconds()).isCloseTo(13e-6, within(ROUNDING));
    }

    @Test
    void onePortSendsOneMessageAtATime() throws IOException {
        String text = """
                num_ranks 3
                rank 0 {
                send 5000b to 1
                send 5000b to 2
                }
                rank 1 {
                recv 5000b from 0
                }
                rank 2 {
                recv 5000b from 0
                }
                """;

        assertThat(read(text).simulate(MACHINE).seconds()).isCloseTo(12e-6, within(ROUNDING));
        assertThat(read(text)
                        .simulate(MACHINE.withOversubscription(2), Servers.of(3, 1), GoalProgram.NO_SIGNALS)
                        .seconds())
                .isCloseTo(22e-6, within(ROUNDING));
    }

    @Test
    void commentsAndBlankLinesAreSkipped() throws IOException {
        String text = """
                // A tree of two.
                num_ranks 2 rank 0 { /* the root
                  has nothing to wait for */ root: send 1b to 1 // tag 0
                }
                rank 1 { leaf: recv 1b from 0 cpu 3 }
                """;

        assertThat(written(read(text))).isEqualTo("""
                num_ranks 2

                rank 0 {
                l1: send 1b to 1 tag 0
                }

                rank 1 {
                l1: recv 1b from 0 tag 0 cpu 3
                }
                """);
    }

    @Test
    void aDependencyIsWrittenOnceBothLabelsAreKnown() throws IOException {
        String text = "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\na requires b\n}\n";

        assertThat(written(read(text)))
                .isEqualTo("num_ranks 1\n\nrank 0 {\nl1: calc 1\nl2: calc 2\nl1 requires l2\n}\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ranks 2 | line 1, column 1: \"ranks\"; expected \"num_ranks\"",
                "num_ranks 0 | line 1, column 11: \"0\"; expected a number of ranks from 1 to 1048576",
                "num_ranks 99999999999999999999 | line 1, column 11: \"99999999999999999999\"; expected a number of"
                        + " ranks from 1 to 1048576",
                "num_ranks | line 1, column 10: the line ends; expected a number of ranks from 1 to 1048576",
                "num_ranks 2#rank 2 {#} | line 2, column 6: \"2\"; expected a rank from 0 to 1",
                "num_ranks 1#rank 0 {#}#rank 0 {#} | line 4, column 6: rank 0 again; expected one block for each rank",
                "num_ranks 2#rank 1 {#} | line 4, column 1: the file ends; expected \"rank 0 {\"",
                "num_ranks 1#rank 0 {#calc 5 | line 4, column 1: the file ends; expected \"}\" after rank 0",
                "num_ranks 1#rank 0 | line 2, column 7: the line ends; expected \"{\"",
                "num_ranks 1#rank 0 {#a: send 8b to 1#} | line 3, column 15: \"1\"; expected a rank from 0 to 0",
                "num_ranks 2#rank 0 {#a: recv 8b from -2#} | line 3, column 17: \"-2\"; expected a rank from 0 to 1",
                "num_ranks 2#rank 0 {#a: send 8b to -1#} | line 3, column 15: \"-1\"; expected a rank from 0 to 1",
                "num_ranks 2#rank 0 {#a: recv 8b from 1 tag 4294967296#} | line 3, column 23: \"4294967296\"; expected a tag"
                        + " from 0 to 4294967295",
                "num_ranks 2#rank 0 {#a: recv 8b from -1#}#rank 1 {#} | line 3, column 1: rank 0 has 1 receive for 0 sends"
                        + " to it; expected a receive for each send",
                "num_ranks 2#rank 0 {#a: send 8 to 1#} | line 3, column 11: \"to\"; expected \"b\"",
                "num_ranks 2#rank 0 {#a: send 8b from 1#} | line 3, column 12: \"from\"; expected \"to\"",
                "num_ranks 1#rank 0 {#a: sned 8b to 1#} | line 3, column 4: \"sned\"; expected \"send\", \"recv\" or"
                        + " \"calc\"",
                "num_ranks 1#rank 0 {#a: calc many#} | line 3, column 9: \"many\"; expected nanoseconds from 0 to"
                        + " 9223372036854775807",
                "num_ranks 1#rank 0 {#a: calc 1 2#} | line 3, column 11: \"2\"; expected the end of the line",
                "num_ranks 1#rank 0 {#a: calc 1#b requires a#} | line 4, column 1: rank 0 has no label b so far; expected"
                        + " a label of an operation above",
                "num_ranks 1#rank 0 {#a: calc 1#a requires b#} | line 4, column 12: rank 0 has no label b so far;"
                        + " expected a label of an operation above",
                "num_ranks 1#rank 0 {#a: calc 1#a: calc 2#} | line 4, column 1: label a again; expected another label",
                "num_ranks 1#rank 0 {#a: calc 1#a needs a#} | line 4, column 3: \"needs\"; expected \":\", \"requires\" or"
                        + " \"irequires\"",
                "num_ranks 1#rank 0 {#a: calc 1#b: calc 2#a requires b#b irequires a#} | line 3, column 1: operations of"
                        + " rank 0 wait for each other in a cycle: a -> b -> a; expected dependencies without a cycle",
                "num_ranks 1#rank 0 {#a: calc 1#a requires a#} | line 3, column 1: operations of rank 0 wait for each"
                        + " other in a cycle: a -> a; expected dependencies without a cycle",
                "num_ranks 2#rank 0 {#a: send 8b to 1 tag 3#}#rank 1 {#} | line 3, column 1: rank 0 has 1 send to rank 1"
                        + " with tag 3, and rank 1 has 0 receives; expected a receive of the same size for each send",
                "num_ranks 2#rank 0 {#}#rank 1 {#  a: recv 8b from 0#} | line 5, column 3: rank 0 has 0 sends to rank 1"
                        + " with tag 0, and rank 1 has 1 receive; expected a receive of the same size for each send",
                "num_ranks 2#rank 0 {#send 8b to 1#}#rank 1 {#recv 9b from 0#} | line 3, column 1: messages from rank 0 to"
                        + " rank 1 with tag 0 are received with other sizes than they are sent; expected a receive of the"
                        + " same size for each send",
                "num_ranks 1#rank 0 {#}#more | line 4, column 1: \"more\"; expected \"rank\"",
                "num_ranks 1#rank 0 {#%!#} | line 3, column 1: \"%\"; expected a label, \"send\", \"recv\" or \"calc\"",
                "num_ranks 1#/* rank 0 { | line 3, column 1: the file ends; expected \"*/\"",
                "'' | line 1, column 1: the file ends; expected \"num_ranks\""
            })
    void whatIsNoGoalIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> read(text.replace('#', '\n')))
                .isInstanceOf(GoalFormatException.class)
                .hasMessage(message);
    }

    @Test
    void anyRankAnyTagAndTagsOf32BitsAreReadAndWritten() throws IOException {
        String text = """
                num_ranks 2
                rank 0 {
                l1: recv 8b from -1 tag -1
                l2: recv 8b from 1 tag 4294967290
                }
                rank 1 {
                l1: send 8b to 0 tag 4294967290
                l2: send 8b to 0 tag 7
                }
                """;

        GoalProgram program = read(text);

        assertThat(program.operations(0))
                .extracting(GoalOperation::toString)
                .containsExactly("recv 8b from -1 tag -1", "recv 8b from 1 tag 4294967290");
        assertThat(read(written(program))).isEqualTo(program);
        assertThat(read(text.replace("tag -1", "tag 4294967295"))).isEqualTo(program);
    }

    @Test
    void theErrorOfAFileNamesIt(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("broken.goal"), "num_ranks 1\nrank one {\n");

        assertThatThrownBy(() -> GoalFile.read(file))
                .isInstanceOfSatisfying(GoalFormatException.class, e -> {
                    assertThat(e.line()).isEqualTo(2);
                    assertThat(e.column()).isEqualTo(6);
                })
                .hasMessage(file + ", line 2, column 6: \"one\"; expected a rank from 0 to 0");
    }

    @Test
    void ranksThatWaitForEachOtherAreNamed() throws IOException {
        String text = """
                num_ranks 2
                rank 0 {
                a: recv 8b from 1
                b: send 8b to 1
                b requires a
                }
                rank 1 {
                a: recv 8b from 0
                b: send 8b to 0
                b requires a
                }
                """;
        GoalProgram program = read(text);

        assertThatThrownBy(() -> program.simulate(MACHINE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                4 operations wait forever:
                  recv 8b from 1 tag 0, operation 0 of rank 0
                  send 8b to 1 tag 0, operation 1 of rank 0
                  recv 8b from 0 tag 0, operation 0 of rank 1
                  send 8b to 0 tag 0, operation 1 of rank 1""");
    }

    /** Each rank copies 8 bytes, lets the other one write, reduces and writes 4, and writes 4 of the result. */
    @Test
    void aRingOfTwoIsWrittenLikeThis() throws IOException {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 2);
        StringWriter writer = new StringWriter();

        GoalFile.write(Schedule.of(new RingAllReduce(), call), new LocalCost(0.5, 0.25), writer);

        assertThat(writer.toString()).startsWith("""
                num_ranks 2

                rank 0 {
                l1: calc 4
                l2: send 1b to 1 tag 0
                l2 requires l1
                l3: recv 4b from 1 tag 1 cpu 1
                l4: recv 1b from 1 tag 0
                l4 requires l1
                l5: calc 1
                l5 requires l4
                l6: send 4b to 1 tag 1
                l6 requires l5
                l7: send 1b to 1 tag 2
                l7 requires l3
                l7 requires l6
                l8: recv 4b from 1 tag 3 cpu 1
                l9: recv 1b from 1 tag 2
                l9 requires l3
                l9 requires l6
                l10: send 4b to 1 tag 3
                l10 requires l9
                }

                rank 1 {
                l1: calc 4
                """);
    }

    /** Both ranks say that they may be read, ask for 8 bytes, get them, and say so. */
    @Test
    void aReadIsAskedFor() throws IOException {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 2, DType.FLOAT32, 2);
        StringWriter writer = new StringWriter();

        GoalFile.write(Schedule.of(new MeshAllGather(), call), LocalCost.FREE, writer);

        assertThat(writer.toString()).startsWith("""
                num_ranks 2

                rank 0 {
                l1: send 1b to 1 tag 0
                l2: calc 0
                l3: recv 1b from 1 tag 1 cpu 1
                l4: send 8b to 1 tag 1 cpu 1
                l4 requires l3
                l5: recv 1b from 1 tag 0
                l5 requires l2
                l6: send 1b to 1 tag 2
                l6 requires l5
                l7: recv 8b from 1 tag 3
                l7 requires l6
                l8: send 1b to 1 tag 3
                l8 requires l7
                l9: recv 1b from 1 tag 2
                l9 requires l7
                }

                rank 1 {
                """);
    }

    @Test
    void costsBelowZeroAreRefused() {
        assertThatThrownBy(() -> new LocalCost(-1, 0)).hasMessage("a byte costs at least 0 ns: -1.0, 0.0");
        assertThatThrownBy(() -> new LocalCost(0, Double.NaN)).hasMessage("a byte costs at least 0 ns: 0.0, NaN");
    }

    /** Work for each character that grows with the length of the line would not end. */
    @ParameterizedTest
    @ValueSource(strings = {"  ", " / ", "*/ /*", "/ /* */ /*"})
    void commentsInAVeryLongLineAreReadInOnePass(String repeated) throws IOException {
        StringBuilder text = new StringBuilder("num_ranks 1\nrank 0 {\n/*");
        while (text.length() < 16 << 20) {
            text.append(repeated);
        }
        text.append("*/ calc 7 // ").append("/*".repeat(1 << 20)).append("\n}\n");

        assertThat(read(text.toString()).operations(0))
                .singleElement()
                .satisfies(operation -> assertThat(operation.amount()).isEqualTo(7));
    }

    /** Comments taken away from the whole text by a pattern, with as many blanks in their place, are the reference. */
    @Test
    void aTextWithRandomCommentsIsReadAsTheSameTextWithoutThem() {
        Random random = new Random(20_261_128);
        Pattern comment = Pattern.compile("/\\*(?s:.*?)\\*/|//[^\n]*");
        List<String> parts = List.of(
                "/*",
                "*/",
                "//",
                "/",
                "*",
                "\n",
                " ",
                "/*/",
                "/**/",
                "// x",
                "/* y */",
                "calc 5\n",
                "l1: calc 3\n",
                "\u00e9");
        int programs = 0;
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder("num_ranks 1 rank 0 {\n");
            for (int part = random.nextInt(12); part > 0; part--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            text.append("\n}\n");
            String plain =
                    comment.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]", " "));
            String expected = told(plain);
            // What is not closed is no comment for the pattern, and an error with a place of its own for the reader.
            if (!plain.contains("/*")) {
                assertThat(told(text.toString())).as(text.toString()).isEqualTo(expected);
                programs += expected.startsWith("num_ranks") ? 1 : 0;
            }
        }
        assertThat(programs).isGreaterThan(200);
    }

    private static String told(String text) {
        try {
            return written(read(text));
        } catch (GoalFormatException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "70000, 2", "131072, 1"})
    void aFileThatIsNotUtf8IsRefusedWithThePlace(int lines, int column, @TempDir Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String before = "/".repeat(Math.min(2, column - 1)) + "\u00e9".repeat(Math.max(0, column - 3));
        bytes.writeBytes("//\u00e9\n".repeat(lines - 1).getBytes(UTF_8));
        bytes.writeBytes(before.getBytes(UTF_8));
        bytes.writeBytes("\u00e9 and so on\n".getBytes(ISO_8859_1));
        Path file = Files.write(folder.resolve("latin.goal"), bytes.toByteArray());

        assertThatThrownBy(() -> GoalFile.read(file))
                .isInstanceOf(GoalFormatException.class)
                .hasMessage(file + ", line " + lines + ", column " + column
                        + ": a byte that is not UTF-8; expected a file that is saved in UTF-8");
    }

    @Test
    void sendsOfMoreBytesThanCanBeSummedAreRefused() throws IOException {
        String huge = """
                num_ranks 2
                rank 0 {
                send 9223372036854775807b to 1
                send 9223372036854775807b to 1
                }
                rank 1 {
                recv 9223372036854775807b from 0
                recv 9223372036854775807b from 0
                }
                """;
        GoalProgram program = read(huge);

        assertThatThrownBy(() -> program.simulate(MACHINE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("its sends have more than 288230376151711744 bytes together, which cannot be timed");
    }
}
