package org.rankunit.coll.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
                "some.yaml, line 1, column 4: a: \"red\" is none of blue, green");
    }

    @Test
    void whatIsNoYamlIsNamedWithItsPlace() {
        refused("", file -> {}, "some.yaml, line 1, column 1: the file is empty");
        refused("- 1\n", file -> {}, "some.yaml, line 1, column 1: the file has no keys");
        refused("a: 1\na: 2\n", file -> {}, "some.yaml, line 2, column 1: the key \"a\" is there twice");
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
}
