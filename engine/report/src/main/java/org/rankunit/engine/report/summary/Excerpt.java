package org.rankunit.engine.report.summary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The start of a long text. */
final class Excerpt {

    private static final String CUT = "...";

    private Excerpt() {}

    /** Take the first lines of a text, and say how many are left out. Each is cut to {@code width} characters. */
    static List<String> of(@Nullable String text, int most, int width) {
        if (text == null || text.isBlank()) {
            return List.of();
        }
        List<String> all = text.strip().lines().map(line -> cut(line, width)).toList();
        if (all.size() <= most) {
            return all;
        }
        List<String> some = new ArrayList<>(all.subList(0, most));
        some.add(CUT + " (" + (all.size() - most) + " more lines)");
        return some;
    }

    private static String cut(String line, int width) {
        if (line.length() <= width) {
            return line;
        }
        int end = width - CUT.length();
        // Half a character outside the basic plane would be no text.
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + CUT;
    }
}
