package org.rankunit.engine.slurm.job;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the short form in which Slurm writes ids: {@code 0-3,8}. */
final class IdList {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    private IdList() {}

    /** @throws IllegalArgumentException if the text is malformed */
    static List<Integer> parse(String text) {
        List<Integer> ids = new ArrayList<>();
        for (String range : text.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("\"" + text + "\" is not a list of ids of Slurm, such as 0-3,8");
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            for (int id = first; id <= last; id++) {
                ids.add(id);
            }
        }
        return ids;
    }
}
