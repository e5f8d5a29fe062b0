package org.rankunit.pool.inventory;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Parse and format lists of device ids as people write them: {@code 4-7}, {@code 0,2-4,7}.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DeviceList {

    /** The highest id that a list may contain. */
    public static final int MAX_ID = 9999;

    private static final Pattern TOKEN = Pattern.compile("(\\d+)(?:\\s*-\\s*(\\d+))?");

    private DeviceList() {}

    /**
     * Read ids and ranges separated by commas; blanks around them are ignored.
     *
     * @return the ids in ascending order
     * @throws IllegalArgumentException if the text has another form, repeats a device or has an id above
     *     {@value #MAX_ID}; the message names the offending part, and the caller prepends the configuration key
     */
    public static List<Integer> parse(String text) {
        if (text.isBlank()) {
            throw bad(text, "it names no device");
        }
        SortedSet<Integer> devices = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            addRange(text, part.strip(), devices);
        }
        return List.copyOf(devices);
    }

    private static void addRange(String text, String part, SortedSet<Integer> devices) {
        Matcher matcher = TOKEN.matcher(part);
        if (!matcher.matches()) {
            throw bad(text, "\"" + part + "\" is neither a device id nor a range of them");
        }
        int first = id(text, matcher.group(1));
        int last = matcher.group(2) == null ? first : id(text, matcher.group(2));
        if (last < first) {
            throw bad(text, "\"" + part + "\" runs backwards");
        }
        for (int device = first; device <= last; device++) {
            if (!devices.add(device)) {
                throw bad(text, "\"" + part + "\" names device " + device + " a second time");
            }
        }
    }

    private static int id(String text, String digits) {
        String significant = digits.replaceFirst("^0+(?=\\d)", "");
        if (significant.length() > 4) {
            throw bad(text, "device " + significant + " is above the highest id, " + MAX_ID);
        }
        return Integer.parseInt(significant);
    }

    private static IllegalArgumentException bad(String text, String what) {
        return new IllegalArgumentException(
                "\"" + text + "\": " + what + ".\nGive ids and ranges with commas between them, such as 0,2-4,7.");
    }

    /** {@code "4 devices"}, {@code "1 device"}. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static String inWords(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }

    /**
     * Write ids, given in any order, as ascending ids and ranges: {@code 0-3, 5}. An empty list is written as
     * {@code none}; {@link #parse} can read any other result.
     */
    public static String format(List<Integer> devices) {
        List<Integer> sorted = devices.stream().sorted().distinct().toList();
        StringBuilder text = new StringBuilder();
        int from = 0;
        while (from < sorted.size()) {
            int to = from;
            while (to + 1 < sorted.size() && sorted.get(to + 1) == sorted.get(to) + 1) {
                to++;
            }
            text.append(from == 0 ? "" : ", ").append(sorted.get(from));
            if (to > from) {
                text.append('-').append(sorted.get(to));
            }
            from = to + 1;
        }
        return text.isEmpty() ? "none" : text.toString();
    }
}
