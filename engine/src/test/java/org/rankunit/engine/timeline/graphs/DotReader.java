package org.rankunit.engine.timeline.graphs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the part of the DOT language that we write, and refuses everything else. */
public final class DotReader {

    private final String text;
    private int at;
    private final Map<String, String> labels = new TreeMap<>();
    private final List<String> clusters = new ArrayList<>();
    private final List<String> edges = new ArrayList<>();

    private DotReader(String text) {
        this.text = text;
    }

    /** Read a file. */
    public static DotReader of(Path file) throws IOException {
        DotReader reader = new DotReader(Files.readString(file));
        reader.expect("digraph");
        reader.id();
        reader.block();
        if (!reader.next().isEmpty()) {
            throw reader.wrong("something follows the graph");
        }
        return reader;
    }

    /** The label of each node, an empty string if it has none; line breaks are written as they are in the file. */
    public Map<String, String> labels() {
        return labels;
    }

    public List<String> clusters() {
        return clusters;
    }

    /** {@code "a -> b"}, or {@code "a -> b (label)"}. */
    public List<String> edges() {
        return edges;
    }

    private void block() {
        expect("{");
        while (!accept("}")) {
            statement();
        }
    }

    private void statement() {
        if (accept("subgraph")) {
            id();
            block();
            return;
        }
        if (accept("node")) {
            attributes();
        } else {
            String first = id();
            if (accept("=")) {
                String value = id();
                if (first.equals("label")) {
                    clusters.add(value);
                } else if (!first.equals("newrank") || !value.equals("true")) {
                    throw wrong("no attribute that we know");
                }
            } else if (accept("->")) {
                String second = id();
                String label = attributes().getOrDefault("label", "");
                edges.add(first + " -> " + second + (label.isEmpty() ? "" : " (" + label + ")"));
            } else {
                String label = attributes().getOrDefault("label", "");
                if (labels.put(first, label) != null) {
                    throw wrong("the node is there twice");
                }
            }
        }
        expect(";");
    }

    private Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        if (accept("[")) {
            do {
                String key = id();
                expect("=");
                attributes.put(key, id());
            } while (accept(","));
            expect("]");
        }
        return attributes;
    }

    private void expect(String token) {
        if (!accept(token)) {
            throw wrong("no " + token);
        }
    }

    private boolean accept(String token) {
        boolean found = next().equals(token);
        if (found) {
            at += token.length();
        }
        return found;
    }

    private String id() {
        String token = next();
        at += token.length();
        if (token.startsWith("\"")) {
            return token.substring(1, token.length() - 1).replaceAll("\\\\([\"\\\\])", "$1");
        } else if (token.isEmpty() || !Character.isLetterOrDigit(token.charAt(0))) {
            throw wrong("no name");
        }
        return token;
    }

    private String next() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) {
            at++;
        }
        if (at == text.length()) {
            return "";
        }
        char first = text.charAt(at);
        if (first == '"') {
            return text.substring(at, endOfString());
        } else if (Character.isLetterOrDigit(first) || first == '_') {
            int end = at;
            while (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_') {
                end++;
            }
            return text.substring(at, end);
        }
        return text.startsWith("->", at) ? "->" : String.valueOf(first);
    }

    /** Of the escapes we use three. */
    private int endOfString() {
        for (int i = at + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                throw wrong("a control character in a string");
            } else if (c == '"') {
                return i + 1;
            } else if (c == '\\') {
                i++;
                if (i == text.length() || "\"\\n".indexOf(text.charAt(i)) < 0) {
                    throw wrong("an escape that we do not write");
                }
            }
        }
        throw wrong("a string without an end");
    }

    private AssertionError wrong(String what) {
        return new AssertionError(what + " at " + at + ": " + text.substring(at, Math.min(at + 40, text.length())));
    }
}
