package org.rankunit.collective.yaml;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file or of a part of it. Every getter throws a {@link YamlException} with the place if what is there is not what it
 * asks for.
 */
@API(status = INTERNAL, since = "0.1")
public final class YamlMap {

    /** What the map is in messages: {@code "defaults"}; empty for the whole file. */
    private final String name;

    private final YamlNode.Mapping node;

    private YamlMap(String name, YamlNode.Mapping node) {
        this.name = name;
        this.node = node;
    }

    /**
     * Read a file.
     *
     * @throws YamlException if there is no such file, if it is larger than 1 MiB or no text in UTF-8, or if it is not YAML with keys
     */
    public static YamlMap read(Path file) {
        return parse(file.toString(), YamlText.read(file));
    }

    /** Read a text; {@code file} stands for it in messages. */
    public static YamlMap parse(String file, String text) {
        YamlText.requireSize(file, text.length());
        return ofNode("", YamlReader.read(file, text));
    }

    private static YamlMap ofNode(String name, YamlNode node) {
        if (node instanceof YamlNode.Mapping mapping) {
            return new YamlMap(name, mapping);
        }
        throw node.place().error((name.isEmpty() ? "the file" : name) + " has no keys");
    }

    /** Refuse keys other than these. */
    public YamlMap allow(String... keys) {
        Set<String> allowed = Set.of(keys);
        node.entries().forEach((key, entry) -> {
            if (!allowed.contains(key)) {
                throw entry.key()
                        .error("there is no key \"" + qualified(key) + "\"; allowed here are "
                                + String.join(", ", List.of(keys)));
            }
        });
        return this;
    }

    private String qualified(String key) {
        return name.isEmpty() ? key : name + "." + key;
    }

    public List<String> keys() {
        return List.copyOf(node.entries().keySet());
    }

    public boolean has(String key) {
        return node.entries().containsKey(key);
    }

    /** Make an error at the place of a key, or of this map if the key is missing. */
    public YamlException error(String key, String message) {
        YamlNode.Entry entry = node.entries().get(key);
        return (entry == null ? node.place() : entry.value().place()).error(qualified(key) + ": " + message);
    }

    private @Nullable YamlNode find(String key) {
        YamlNode.Entry entry = node.entries().get(key);
        return entry == null ? null : entry.value();
    }

    private YamlException missing(String key) {
        return node.place().error("the key \"" + qualified(key) + "\" is missing");
    }

    public YamlMap map(String key) {
        return findMap(key).orElseThrow(() -> missing(key));
    }

    public Optional<YamlMap> findMap(String key) {
        return Optional.ofNullable(find(key)).map(value -> ofNode(qualified(key), value));
    }

    /** Get the items of a list, each of which has keys; none if the key is missing. */
    public List<YamlMap> maps(String key) {
        List<YamlMap> maps = new ArrayList<>();
        for (YamlNode item : items(key)) {
            maps.add(ofNode(qualified(key) + "[" + maps.size() + "]", item));
        }
        return maps;
    }

    /** Get the items of a list of words; none if the key is missing. */
    public List<String> texts(String key) {
        return items(key).stream().map(item -> text(key, item)).toList();
    }

    private List<YamlNode> items(String key) {
        YamlNode value = find(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof YamlNode.Sequence sequence) {
            return sequence.items();
        }
        throw error(key, "expected a list");
    }

    public Optional<String> findText(String key) {
        return Optional.ofNullable(find(key)).map(value -> text(key, value));
    }

    private String text(String key, YamlNode value) {
        if (value instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
            return scalar.text();
        }
        throw error(key, "expected a value");
    }

    public String text(String key) {
        return findText(key).orElseThrow(() -> missing(key));
    }

    /** Get one of several words; {@code otherwise} if the key is missing. */
    public <T> T choice(String key, T otherwise, List<T> choices, Function<T, String> word) {
        Optional<String> text = findText(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        return choices.stream()
                .filter(each -> word.apply(each).equals(text.get()))
                .findFirst()
                .orElseThrow(() -> error(
                        key,
                        "\"" + text.get() + "\" is not one of "
                                + String.join(", ", choices.stream().map(word).toList())));
    }

    public Optional<Boolean> findBoolean(String key) {
        return findText(key).map(text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw error(key, "\"" + text + "\" is neither true nor false");
        });
    }

    /** Get a whole number in [least, most]. */
    public int integer(String key, int least, int most) {
        return findInteger(key, least, most).orElseThrow(() -> missing(key));
    }

    public Optional<Integer> findInteger(String key, int least, int most) {
        return findText(key).map(text -> {
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // CappedMessages below, as any other text that is not such a number.
            }
            throw error(key, "\"" + text + "\" is not a whole number from " + least + " to " + most);
        });
    }

    /** Get a number as {@link #findNumber} does. */
    public double number(String key, double least, boolean above) {
        return findNumber(key, least, above).orElseThrow(() -> missing(key));
    }

    /** Get a number of at least {@code least}, or above it if it must be {@code above}. */
    public Optional<Double> findNumber(String key, double least, boolean above) {
        return findText(key).map(text -> {
            try {
                double number = Double.parseDouble(text);
                if (Double.isFinite(number) && (above ? number > least : number >= least)) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // CappedMessages below, as any other text that is not such a number.
            }
            throw error(
                    key, "\"" + text + "\" is not a number " + (above ? "above " : "of at least ") + trimmed(least));
        });
    }

    private static String trimmed(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
