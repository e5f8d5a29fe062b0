package org.rankunit.collective.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads one document into nodes. */
final class YamlReader {

    private static final YAMLFactory FACTORY = new YAMLFactory();

    private final String file;
    private final YAMLParser parser;

    private YamlReader(String file, YAMLParser parser) {
        this.file = file;
        this.parser = parser;
    }

    static YamlNode read(String file, String text) {
        try (YAMLParser parser = FACTORY.createParser(text)) {
            YamlReader reader = new YamlReader(file, parser);
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new YamlPlace(file, 1, 1).error("the file is empty");
            }
            YamlNode node = reader.node(first);
            if (parser.nextToken() != null) {
                throw reader.here().error("the file has a second document");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw place(file, e.getLocation()).error("not YAML: " + reason(e.getOriginalMessage()));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read a string", e);
        }
    }

    private static String reason(@Nullable String message) {
        if (message == null) {
            return "it cannot be parsed";
        }
        // The parser says what it was doing, where, and what it expected; excerpts of the file are indented.
        return message.lines().filter(line -> !line.startsWith(" ")).limit(2).collect(Collectors.joining(", "));
    }

    private static YamlPlace place(String file, @Nullable JsonLocation location) {
        return location == null
                ? new YamlPlace(file, 1, 1)
                : new YamlPlace(file, Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private YamlPlace here() {
        return place(file, parser.currentTokenLocation());
    }

    private YamlNode node(@Nullable JsonToken token) throws IOException {
        YamlPlace place = here();
        if (parser.isCurrentAlias() || parser.getObjectId() != null || parser.getTypeId() != null) {
            throw place.error("anchors, aliases and tags are not supported");
        }
        if (token == JsonToken.START_OBJECT) {
            return new YamlNode.Mapping(place, entries());
        }
        if (token == JsonToken.START_ARRAY) {
            List<YamlNode> items = new ArrayList<>();
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                items.add(node(next));
            }
            return new YamlNode.Sequence(place, List.copyOf(items));
        }
        if (token == JsonToken.VALUE_NULL) {
            return new YamlNode.Scalar(place, "");
        }
        if (token != null && token.isScalarValue()) {
            return new YamlNode.Scalar(place, parser.getText());
        }
        throw place.error("expected a value");
    }

    private Map<String, YamlNode.Entry> entries() throws IOException {
        Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_OBJECT; next = parser.nextToken()) {
            YamlPlace place = here();
            String key = parser.currentName();
            YamlNode value = node(parser.nextToken());
            if (entries.put(key, new YamlNode.Entry(place, value)) != null) {
                throw place.error("the key \"" + key + "\" appears twice");
            }
        }
        return entries;
    }
}
