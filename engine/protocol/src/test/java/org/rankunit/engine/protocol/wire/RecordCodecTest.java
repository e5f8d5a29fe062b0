package org.rankunit.engine.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.ToRank;

@Tag("unit")
class RecordCodecTest {

    private static final int RANDOM_MESSAGES = 200;

    private final RecordCodec codec = new RecordCodec();

    record Measure(double value) {}

    record Text(String value) {}

    record Texts(List<String> values) {}

    record Numbers(List<Integer> ints, List<Long> longs, List<Double> doubles, Map<String, Boolean> truths) {}

    record Wrong(Object value) {}

    record Tree(@Nullable Tree child) {}

    static Stream<Class<?>> messages() {
        return Stream.of(FromRank.class, ToRank.class).flatMap(type -> Arrays.stream(type.getPermittedSubclasses()));
    }

    enum Colour {
        RED {
            @Override
            public String toString() {
                return "red";
            }
        },
        GREEN
    }

    record Coloured(Colour colour) {}

    record Place(
            int device,
            @Nullable String node,
            List<String> nodes,
            @Nullable String other) {}

    record Square(int side) {
        public long area() {
            return (long) side * side;
        }
    }

    @Test
    void enumsAreWrittenByTheNamesOfTheirConstants() throws IOException {
        byte[] encoded = codec.encode(new Coloured(Colour.RED), Coloured.class);

        assertThat(new String(encoded, StandardCharsets.UTF_8)).isEqualTo("{\"colour\":\"RED\"}");
        assertThat(codec.decode(encoded, Coloured.class)).isEqualTo(new Coloured(Colour.RED));
    }

    @Test
    void aConstantThatTheEnumLacksIsRefused() {
        byte[] encoded = "{\"colour\":\"BLUE\"}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> codec.decode(encoded, Coloured.class))
                .isInstanceOf(IOException.class)
                .hasMessage("'BLUE' is no Colour");
    }

    @Test
    void derivedValuesAreWrittenAndPassedOverWhenRead() throws IOException {
        RecordCodec deriving = new RecordCodec(Map.of(Square.class, List.of("area")), Map.of());
        byte[] encoded = deriving.encode(new Square(3), Square.class);

        assertThat(new String(encoded, StandardCharsets.UTF_8)).isEqualTo("{\"side\":3,\"area\":9}");
        assertThat(deriving.decode(encoded, Square.class)).isEqualTo(new Square(3));
    }

    @Test
    void optionalComponentsAreWrittenOnlyIfTheyAreNotEmpty() throws IOException {
        RecordCodec leaving = new RecordCodec(Map.of(), Map.of(Place.class, List.of("node", "nodes")));
        Place here = new Place(3, null, List.of(), null);
        Place there = new Place(3, "a", List.of("a", "b"), null);

        byte[] few = leaving.encode(here, Place.class);
        byte[] all = leaving.encode(there, Place.class);

        assertThat(new String(few, StandardCharsets.UTF_8)).isEqualTo("{\"device\":3,\"other\":null}");
        assertThat(new String(all, StandardCharsets.UTF_8))
                .isEqualTo("{\"device\":3,\"node\":\"a\",\"nodes\":[\"a\",\"b\"],\"other\":null}");
        assertThat(leaving.decode(few, Place.class)).isEqualTo(here);
        assertThat(leaving.decode(all, Place.class)).isEqualTo(there);
    }

    @Test
    void componentsThatAreNotOptionalMustBeThere() {
        RecordCodec leaving = new RecordCodec(Map.of(), Map.of(Place.class, List.of("node", "nodes")));

        assertThatThrownBy(() ->
                        leaving.decode("{\"device\":3,\"node\":\"a\"}".getBytes(StandardCharsets.UTF_8), Place.class))
                .isInstanceOf(IOException.class)
                .hasMessage("Place lacks 'other'");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyMessageComesBackAsItWas(Class<?> type) throws IOException {
        Messages random = new Messages(type.getName().hashCode());
        Class<?> declared = type.getInterfaces()[0];
        List<Record> sent = new ArrayList<>();
        List<Object> received = new ArrayList<>();
        for (int i = 0; i < RANDOM_MESSAGES; i++) {
            Record message = random.next(type);
            sent.add(message);
            received.add(codec.decode(codec.encode(message, declared), declared));
        }

        assertThat(received).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                -0.0,
                Double.MIN_VALUE,
                Double.MAX_VALUE
            })
    void numbersThatJsonDoesNotHaveTravelToo(double value) throws IOException {
        assertThat(roundTrip(new Measure(value))).isEqualTo(new Measure(value));
    }

    @Test
    void listsAndMapsMayHoldNumbersToo() throws IOException {
        Numbers numbers = new Numbers(
                List.of(1, -2), List.of(Long.MAX_VALUE), List.of(0.5, Double.NaN), Map.of("yes", true, "no", false));

        assertThat(roundTrip(numbers)).isEqualTo(numbers);
    }

    @Test
    void halfOfASurrogatePairTravelsAsItIs() throws IOException {
        Text half = new Text("cut within an emoji: \uD83D… and \uDE00");

        assertThat(roundTrip(half)).isEqualTo(half);
    }

    @Test
    void halfOfASurrogatePairTravelsAlsoInALongText() throws IOException {
        Text half = new Text("x".repeat(20_000) + "\uD83D… " + "y".repeat(20_000) + "\uD83D");

        assertThat(roundTrip(half)).isEqualTo(half);
    }

    @Test
    void aFailureWithCausesAndSuppressedOnesComesBackAsItWas() throws IOException {
        Failure cause = new Failure("java.io.IOException", null, false, null, null, List.of(), null, List.of());
        Failure failure = new Failure(
                "org.opentest4j.AssertionFailedError",
                "expected: <1> but was: <2>",
                true,
                "1",
                "2",
                List.of(new Failure.Frame("a.B", "c", null, -2)),
                cause,
                List.of(cause, cause));

        assertThat(roundTrip(failure)).isEqualTo(failure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"Reboot\"}                                     | 'Reboot' is no ToRank",
                "{\"type\":\"Shutdown\",\"now\":true}                      | Shutdown has no 'now'",
                "{\"type\":\"Enter\",\"uniqueId\":\"a\"}                   | Enter lacks 'run'",
                "{\"type\":\"Shutdown\"} {}                                | not exactly one ToRank",
                "null                                                      | not exactly one ToRank",
                "{\"uniqueId\":\"a\",\"type\":\"Enter\",\"run\":true}      | expected a ToRank at line: 1, column: 14, found FIELD_NAME",
                "[]                                                        | expected a ToRank at line: 1, column: 2, found START_ARRAY",
                "{\"type\":\"Enter\",\"uniqueId\":7,\"run\":true}          | expected a String at line: 1, column: 29, found VALUE_NUMBER_INT",
                "{\"type\":\"Enter\",\"uniqueId\":\"a\",\"run\":\"yes\"}   | expected a boolean at line: 1, column: 39, found VALUE_STRING",
                "{\"type\":\"Release\",\"failedRank\":1.5,\"reason\":\"\"} | expected a int at line: 1, column: 35, found VALUE_NUMBER_FLOAT",
                "{\"type\":\"RunTests\",\"tests\":[null]}                  | expected a List at line: 1, column: 33, found VALUE_NULL",
                "{\"type\":\"RunTests\",\"tests\":{}}                      | expected a List at line: 1, column: 29, found START_OBJECT"
            })
    void whatIsNoMessageIsRefusedWithItsPlace(String json, String message) {
        assertThatThrownBy(() -> decode(json, ToRank.class))
                .isInstanceOf(IOException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "nonsense",
                "{\"type\":\"Enter\",\"uniqueId\":null,\"run\":null}",
                "{\"type\":\"Release\",\"failedRank\":99999999999,\"reason\":\"\"}",
                "{\"type\":\"Enter\",\"uniqueId\":\"a"
            })
    void whateverArrivesIsAMessageOrAnIoException(String json) {
        assertThatThrownBy(() -> decode(json, ToRank.class)).isInstanceOf(IOException.class);
    }

    @Test
    void aTextThatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> decode("{\"value\":\"many\"}", Measure.class))
                .isInstanceOf(IOException.class)
                .hasMessage("expected a double at line: 1, column: 16, found VALUE_STRING");
    }

    @Test
    void nothingForANumberIsRefused() {
        assertThatThrownBy(() -> decode("{\"value\":null}", Measure.class))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("not a Measure: ");
    }

    @Test
    void nestingHasAnEnd() {
        String deep = "{\"child\":".repeat(300) + "null" + "}".repeat(300);

        assertThatThrownBy(() -> decode(deep, Tree.class))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Document nesting depth (201) exceeds the maximum allowed (200");
    }

    @Test
    void anyBytesAreAMessageOrAnIoException() throws IOException {
        Random random = new Random(42);
        byte[] good = codec.encode(new Messages(42).next(FromRank.class), FromRank.class);
        for (int i = 0; i < 5000; i++) {
            byte[] broken = good.clone();
            for (int k = random.nextInt(3); k >= 0; k--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            }
            try {
                codec.decode(broken, FromRank.class);
            } catch (IOException expected) {
                // The only way to refuse a message.
            }
        }
    }

    @Test
    void onlyTheKnownKindsOfValuesAreWritten() {
        assertThatThrownBy(() -> codec.encode(new Wrong(java.time.Year.of(2000)), Wrong.class))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot write a java.time.Year");
    }

    @Test
    void nothingInAListIsAnIoException() {
        assertThatThrownBy(() -> codec.encode(new Texts(Collections.singletonList(null)), Texts.class))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot write a list that contains null");
    }

    @Test
    void theLargestFailureThatARankSendsFitsOneMessage() throws IOException {
        String text = "x".repeat(Limits.MESSAGE_CHARS);
        List<Failure.Frame> frames =
                Collections.nCopies(Limits.FRAMES, new Failure.Frame("a.b.Class", "method", "Class.java", 1234));
        Failure one = new Failure("a.b.Error", text, true, text, text, frames, null, List.of());
        Failure all = new Failure(
                "a.b.Error", text, true, text, text, frames, null, Collections.nCopies(Limits.THROWABLES - 1, one));
        FromRank.Ended ended = new FromRank.Ended("[a:b]", new RankOutcome.Failed(all), List.of(), 0, 0);

        assertThat(codec.encode(ended, FromRank.class)).hasSizeLessThan(Limits.MESSAGE_BYTES);
    }

    @Test
    void aTextThatIsTooLongIsCutAndSaysByHowMuch() {
        assertThat(Limits.cut("0123456789", 4)).isEqualTo("0123… (6 more characters)");
    }

    @Test
    void aTextThatIsNotTooLongIsNotCut() {
        assertThat(Limits.cut("0123", 4)).isEqualTo("0123");
    }

    private <T extends Record> Object roundTrip(T value) throws IOException {
        return codec.decode(codec.encode(value, value.getClass()), value.getClass());
    }

    private <T> T decode(String json, Class<T> type) throws IOException {
        return codec.decode(json.getBytes(StandardCharsets.UTF_8), type);
    }
}
