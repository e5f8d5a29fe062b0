package org.rankunit.engine.slurm.job;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the short form in which Slurm writes names of nodes: {@code node[1-3,07],other}. */
final class HostList {

    private static final int MAX_HOSTS = 100_000;

    /** Text without brackets, or the inside of a pair of brackets. */
    private static final Pattern PART = Pattern.compile("([A-Za-z0-9._-]+)|\\[([0-9,-]+)]");

    /** Eighteen digits fit a long. */
    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?");

    private final String text;

    private HostList(String text) {
        this.text = text;
    }

    /**
     * Returns the names in the order in which they are written. Numbers keep their leading zeros, and an upper bound
     * gets as many digits as the lower one has, as {@code scontrol show hostnames} does.
     *
     * @throws IllegalArgumentException if the text is malformed or names more than 100,000 hosts
     */
    static List<String> expand(String text) {
        return new HostList(text).hosts();
    }

    private List<String> hosts() {
        List<String> hosts = new ArrayList<>();
        int begin = 0;
        while (begin <= text.length()) {
            int end = endOfItem(begin);
            hosts.addAll(hostsOf(text.substring(begin, end)));
            requireFewHosts(hosts.size());
            begin = end + 1;
        }
        return List.copyOf(hosts);
    }

    /** The place of the next comma outside brackets, or the end of the text. */
    private int endOfItem(int begin) {
        boolean inBrackets = false;
        int end = begin;
        while (end < text.length() && (inBrackets || text.charAt(end) != ',')) {
            inBrackets = text.charAt(end) == '[' || (inBrackets && text.charAt(end) != ']');
            end++;
        }
        return end;
    }

    private List<String> hostsOf(String item) {
        List<String> hosts = List.of("");
        Matcher part = PART.matcher(item);
        int end = 0;
        while (part.find() && part.start() == end) {
            hosts = append(hosts, part.group(1) == null ? numbers(part.group(2)) : List.of(part.group(1)));
            end = part.end();
        }
        if (item.isEmpty() || end < item.length()) {
            throw bad(item.isEmpty() ? "a name is missing" : "\"" + item.substring(end) + "\" cannot be read");
        }
        return hosts;
    }

    private List<String> append(List<String> heads, List<String> tails) {
        requireFewHosts((long) heads.size() * tails.size());
        List<String> all = new ArrayList<>(heads.size() * tails.size());
        for (String head : heads) {
            for (String tail : tails) {
                all.add(head + tail);
            }
        }
        return all;
    }

    private List<String> numbers(String ranges) {
        List<String> numbers = new ArrayList<>();
        for (String range : ranges.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (!matcher.matches()) {
                throw bad("\"" + range + "\" is neither a number nor a range of them");
            }
            addRange(matcher.group(1), matcher.group(2), range, numbers);
        }
        return numbers;
    }

    private void addRange(String lower, @Nullable String upper, String range, List<String> numbers) {
        if (upper == null) {
            numbers.add(lower);
            requireFewHosts(numbers.size());
            return;
        }
        long first = Long.parseLong(lower);
        long last = Long.parseLong(upper);
        if (last < first) {
            throw bad("\"" + range + "\" runs backwards");
        }
        requireFewHosts(numbers.size() + (last - first) + 1);
        for (long number = first; number <= last; number++) {
            numbers.add("0"
                            .repeat(Math.max(
                                    0, lower.length() - Long.toString(number).length()))
                    + number);
        }
    }

    private void requireFewHosts(long count) {
        if (count > MAX_HOSTS) {
            throw bad("it names more than " + MAX_HOSTS + " hosts");
        }
    }

    private IllegalArgumentException bad(String what) {
        String shown = text.length() > 200 ? text.substring(0, 200) + "..." : text;
        return new IllegalArgumentException("\"" + shown + "\" is not a list of hosts of Slurm: " + what);
    }
}
