package org.rankunit.collective.exchange;

/** One line of a GOAL file, taken token by token: words, numbers, and single characters. Comments are spaces here. */
final class GoalLine {

    private final String source;
    private final String text;
    private final int number;
    /** Where the current token begins, and where it ends; it is empty at the end of the line. */
    private int begin;

    private int end;

    GoalLine(String source, String text, int number) {
        this.source = source;
        this.text = text;
        this.number = number;
        next();
    }

    private void next() {
        begin = end;
        while (begin < text.length() && isSpace(text.charAt(begin))) {
            begin++;
        }
        end = begin;
        if (begin == text.length()) {
            return;
        }
        char first = text.charAt(begin);
        do {
            end++;
        } while (end < text.length() && continues(first, text.charAt(end)));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean continues(char first, char c) {
        if (isDigit(first) || first == '-') {
            return isDigit(c);
        }
        return isLetter(first) && (isLetter(c) || isDigit(c) || c == '_');
    }

    int number() {
        return number;
    }

    /** The column of the current token, from 1. */
    int column() {
        return begin + 1;
    }

    boolean isAtEnd() {
        return begin == text.length();
    }

    private String token() {
        return text.substring(begin, end);
    }

    boolean isAt(String expected) {
        return end - begin == expected.length() && text.startsWith(expected, begin);
    }

    /** Go on if the current token is this one. */
    boolean takes(String expected) {
        if (!isAt(expected)) {
            return false;
        }
        next();
        return true;
    }

    void take(String expected) {
        if (!takes(expected)) {
            throw unexpected("\"" + expected + "\"");
        }
    }

    /** Take a name. */
    String word(String expected) {
        if (isAtEnd() || !isLetter(text.charAt(begin))) {
            throw unexpected(expected);
        }
        String word = token();
        next();
        return word;
    }

    /** Take a number from least to most. */
    long number(String what, long least, long most) {
        if (isAtEnd() || !isDigit(text.charAt(begin))) {
            throw noNumber(what, least, most);
        }
        long value;
        try {
            value = Long.parseLong(text, begin, end, 10);
        } catch (NumberFormatException e) {
            throw noNumber(what, least, most);
        }
        if (value < least || value > most) {
            throw noNumber(what, least, most);
        }
        next();
        return value;
    }

    private GoalFormatException noNumber(String what, long least, long most) {
        return unexpected(what + " from " + least + " to " + most);
    }

    int smallNumber(String what, int most) {
        return (int) number(what, 0, most);
    }

    GoalFormatException unexpected(String expected) {
        return wrong(isAtEnd() ? "the line ends" : "\"" + token() + "\"", expected);
    }

    GoalFormatException wrong(String what, String expected) {
        return new GoalFormatException(source, number, column(), what, expected);
    }
}
