package org.rankunit.engine.report.html;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of a page, each once, and not too much of them: a run in which everything fails with long messages must still make a page
 * that opens. Each new text may have a share of the room that is left, so the first ones are shortened last.
 */
final class PageTexts {

    /** Room for all texts, in characters of the page. */
    private static final int ROOM = 8 << 20;

    /** The longest text. */
    private static final int MAX = 64 << 10;

    /** What every text may have, even if there is no room left. */
    private static final int LEAST = 160;

    /** The part of the remaining room that one text may have. */
    private static final int SHARES = 64;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> all = new ArrayList<>();
    private long room = ROOM;

    /** The number of a text, which is added if it is new. */
    int numberOf(String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            return known;
        }
        int number = all.size();
        String shown = shortened(text, Math.max(LEAST, Math.min(MAX, room / SHARES)));
        room = Math.max(0, room - sizeOf(shown));
        numbers.put(text, number);
        all.add(shown);
        return number;
    }

    List<String> all() {
        return all;
    }

    private static String shortened(String text, long most) {
        long size = 0;
        for (int i = 0; i < text.length(); i++) {
            size += sizeOf(text.charAt(i));
            if (size > most) {
                int cut = i > 0 && Character.isLowSurrogate(text.charAt(i)) ? i - 1 : i;
                return text.substring(0, cut) + "\u2026 (" + (text.length() - cut)
                        + " more characters; report.json has all of them)";
            }
        }
        return text;
    }

    private static long sizeOf(String text) {
        long size = 0;
        for (int i = 0; i < text.length(); i++) {
            size += sizeOf(text.charAt(i));
        }
        return size;
    }

    /** How long a character is at most when it is escaped. */
    private static int sizeOf(char each) {
        boolean plain = each >= ' ' && each < 127 && each != '<' && each != '>' && each != '&' && each != '\'';
        return plain ? 1 : each == '\n' || each == '\t' ? 2 : 6;
    }
}
