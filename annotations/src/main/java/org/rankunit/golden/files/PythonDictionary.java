package org.rankunit.golden.files;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the literal of a Python dictionary whose keys are texts. Its values are kept as they are written: a quoted text, a word, a
 * tuple or a list. Nothing is evaluated.
 */
final class PythonDictionary {

    private final String text;
    private int at;

    private PythonDictionary(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException if it is anything else */
    static Map<String, String> parse(String text) {
        return new PythonDictionary(text).entries();
    }

    private Map<String, String> entries() {
        Map<String, String> entries = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            String key = quoted();
            expect(':');
            if (entries.put(key.substring(1, key.length() - 1), value()) != null) {
                throw unexpected();
            }
            if (peek() != '}') {
                expect(',');
            }
        }
        expect('}');
        if (!text.substring(at).isBlank()) {
            throw unexpected();
        }
        return entries;
    }

    private String value() {
        return switch (peek()) {
            case '\'', '"' -> quoted();
            case '(', '[' -> nested();
            default -> word();
        };
    }

    /** The next character that is not blank. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            throw unexpected();
        }
        return text.charAt(at);
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw unexpected();
        }
        at++;
    }

    private String quoted() {
        char quote = peek();
        int end = text.indexOf(quote, at + 1);
        if ((quote != '\'' && quote != '"') || end < 0) {
            throw unexpected();
        }
        String found = text.substring(at, end + 1);
        at = end + 1;
        return found;
    }

    private String word() {
        int begin = at;
        while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        if (at == begin) {
            throw unexpected();
        }
        return text.substring(begin, at);
    }

    /** A tuple or a list with all that is inside. */
    private String nested() {
        int begin = at;
        int depth = 0;
        do {
            char next = peek();
            if (next == '\'' || next == '"') {
                quoted();
                continue;
            }
            depth += next == '(' || next == '[' ? 1 : next == ')' || next == ']' ? -1 : 0;
            at++;
        } while (depth > 0);
        return text.substring(begin, at);
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("not a dictionary of strings; it stops being one at character " + at);
    }
}
