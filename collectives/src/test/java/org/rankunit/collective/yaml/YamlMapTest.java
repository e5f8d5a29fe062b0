package org.rankunit.collective.yaml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class YamlMapTest {

    private static final String TEXT = """
            # what a machine is
            defaults: {algorithm: ring, n_slots: 4, scale: 1.5, fast: true}
            names: [one, two]
            parts:
              - {bytes: 1}
              - bytes: 2
            """;

    private static YamlMap parsed() {
        return YamlMap.parse("some.yaml", TEXT);
    }

    @Test
    void valuesAreReadByTheirKeys() {
        YamlMap file = parsed().allow("defaults", "names", "parts");
        YamlMap defaults = file.map("defaults");
        assertThat(defaults.text("algorithm")).isEqualTo("ring");
        assertThat(defaults.integer("n_slots", 1, 8)).isEqualTo(4);
        assertThat(defaults.findNumber("scale", 0, true)).contains(1.5);
        assertThat(defaults.findBoolean("fast")).contains(true);
        assertThat(defaults.findText("other")).isEmpty();
        assertThat(file.texts("names")).containsExactly("one", "two");
        assertThat(file.maps("parts"))
                .extracting(part -> part.integer("bytes", 1, 9))
                .containsExactly(1, 2);
        assertThat(file.keys()).containsExactly("defaults", "names", "parts");
    }

    private static void refused(String text, Consumer<YamlMap> use, String message) {
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> use.accept(YamlMap.parse("some.yaml", text)))
                .withMessage(message);
    }

    @Test
    void anUnknownKeyIsNamedWithItsPlaceAndTheAllowedOnes() {
        refused(
                "defaults:\n  n_slot: 4\n",
                file -> file.map("defaults").allow("n_slots", "slot_size"),
                "some.yaml, line 2, column 3: there is no key \"defaults.n_slot\"; allowed here are n_slots, slot_size");
    }

    @Test
    void whatIsNotOfTheExpectedKindIsNamedWithItsPlace() {
        refused("a: 1\n", file -> file.map("b"), "some.yaml, line 1, column 1: the key \"b\" is missing");
        refused("a: 1\n", file -> file.map("a"), "some.yaml, line 1, column 4: a has no keys");
        refused("a: 1\n", file -> file.texts("a"), "some.yaml, line 1, column 4: a: expected a list");
        refused("a: {b: }\n", file -> file.map("a").text("b"), "some.yaml, line 1, column 7: a.b: expected a value");
        refused(
                "a: x\n",
                file -> file.integer("a", 1, 9),
                "some.yaml, line 1, column 4: a: \"x\" is not a whole number from 1 to 9");
        refused(
                "a: 10\n",
                file -> file.integer("a", 1, 9),
                "some.yaml, line 1, column 4: a: \"10\" is not a whole number from 1 to 9");
        refused(
                "a: 0\n",
                file -> file.findNumber("a", 0, true),
                "some.yaml, line 1, column 4: a: \"0\" is not a number above 0");
        refused(
                "a: -1\n",
                file -> file.findNumber("a", 0, false),
                "some.yaml, line 1, column 4: a: \"-1\" is not a number of at least 0");
        refused(
                "a: yes\n",
                file -> file.findBoolean("a"),
                "some.yaml, line 1, column 4: a: \"yes\" is neither true nor false");
        refused(
                "a: red\n",
                file -> file.choice("a", "blue", List.of("blue", "green"), Function.identity()),
                "some.yaml, line 1, column 4: a: \"red\" is not one of blue, green");
    }

    @Test
    void whatIsNoYamlIsNamedWithItsPlace() {
        refused("", file -> {}, "some.yaml, line 1, column 1: the file is empty");
        refused("- 1\n", file -> {}, "some.yaml, line 1, column 1: the file has no keys");
        refused("a: 1\na: 2\n", file -> {}, "some.yaml, line 2, column 1: the key \"a\" appears twice");
        refused("a: 1\n---\nb: 1\n", file -> {}, "some.yaml, line 3, column 1: the file has a second document");
        refused(
                "a: [1, 2\n",
                file -> {},
                "some.yaml, line 1, column 9: not YAML: while parsing a flow sequence, expected ',' or ']', but got"
                        + " <stream end>");
        refused(
                "a: &x 1\nb: *x\n",
                file -> {},
                "some.yaml, line 2, column 4: anchors, aliases and tags are not supported");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> YamlMap.read(Path.of("no-such.yaml")))
                .withMessage("no-such.yaml: there is no such file");
    }

    @Test
    void aFileThatIsTooLargeIsRefusedBeforeItIsParsed(@TempDir Path folder) throws IOException {
        String large = "key: " + "x".repeat((1 << 20) - 4);
        Path file = Files.writeString(folder.resolve("large.yaml"), large);
        String why = ": it is larger than 1048576 bytes, which is the most for a configuration; is it another file?";

        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> YamlMap.read(file))
                .withMessage(file + why);
        // Its size is 0, and it never ends.
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> YamlMap.read(Path.of("/dev/zero")))
                .withMessage("/dev/zero" + why);
        refused(large, map -> {}, "some.yaml" + why);
        assertThat(YamlMap.parse("some.yaml", large.substring(0, 1 << 20)).text("key"))
                .hasSize((1 << 20) - 5);
    }

    @Test
    void aFileThatIsNotUtf8IsRefusedWithThePlace(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("latin.yaml"), "a: 1\nb\u00e9: \u00fcber\n".getBytes(ISO_8859_1));
        Path cut = Files.write(folder.resolve("cut.yaml"), new byte[] {'a', (byte) 0xc3});

        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> YamlMap.read(file))
                .withMessage(file + ", line 2, column 2: the byte 0xe9 is not UTF-8; save the file in UTF-8");
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> YamlMap.read(cut))
                .withMessage(cut + ", line 1, column 2: the byte 0xc3 is not UTF-8; save the file in UTF-8");
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> YamlMap.read(folder))
                .withMessage(folder + ": it is a folder; name a file");
    }

    @Test
    void randomBytesAreAMapOrRefusedByOneKindOfException(@TempDir Path folder) throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = TEXT.getBytes(UTF_8);
            for (int change = random.nextInt(6); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte)
                        (random.nextBoolean()
                                ? random.nextInt()
                                : "[]{}:-&*!|>'\"%@`#,?\t\n".charAt(random.nextInt(21)));
            }
            Path file = Files.write(folder.resolve("some.yaml"), bytes);
            try {
                assertThat(YamlMap.read(file)).isNotNull();
            } catch (YamlException e) {
                assertThat(e).hasMessageStartingWith(file + ", line ");
            }
        }
    }
}
