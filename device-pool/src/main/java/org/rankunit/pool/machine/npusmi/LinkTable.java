package org.rankunit.pool.machine.npusmi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Reads {@code npu-smi info -t topo}: a matrix of how the devices are connected.
 *
 * @param physical whether devices are called {@code Phy-ID0}, by their ids, rather than {@code NPU0}, by their NPUs
 * @param groups these numbers, grouped by direct links from one device to the next; empty if the text is not such a
 *     matrix or is incomplete
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LinkTable(boolean physical, List<SortedSet<Integer>> groups) {

    private static final Set<String> DIRECT = Set.of("HCCS", "HCCS_SW", "SIO", "UB");
    private static final Pattern LABEL = Pattern.compile("(NPU|Phy-ID)(\\d{1,4})", Pattern.CASE_INSENSITIVE);
    private static final LinkTable NONE = new LinkTable(false, List.of());

    public static LinkTable parse(String text) {
        List<String> header = List.of();
        Map<String, List<String>> links = new TreeMap<>();
        for (String line : text.lines().toList()) {
            List<String> words =
                    Stream.of(line.strip().split("\\s+")).map(LinkTable::shout).toList();
            if (words.get(0).startsWith("LEGEND")) {
                break;
            }
            if (header.isEmpty()) {
                header = words.stream().takeWhile(LinkTable::isLabel).toList();
            } else if (isLabel(words.get(0))) {
                links.put(words.get(0), words.subList(1, words.size()));
            }
        }
        return of(header, links);
    }

    private static LinkTable of(List<String> header, Map<String, List<String>> links) {
        boolean physical = header.stream().allMatch(label -> label.startsWith("PHY"));
        boolean uniform = physical || header.stream().allMatch(label -> label.startsWith("NPU"));
        boolean whole = Set.copyOf(header).size() == header.size()
                && links.keySet().equals(Set.copyOf(header))
                && links.values().stream().allMatch(row -> row.size() >= header.size());
        if (header.isEmpty() || !uniform || !whole) {
            return NONE;
        }
        List<SortedSet<Integer>> groups = new ArrayList<>();
        header.forEach(label -> join(groups, reach(label, header, links.getOrDefault(label, List.of()))));
        return new LinkTable(physical, groups);
    }

    private static SortedSet<Integer> reach(String label, List<String> header, List<String> row) {
        SortedSet<Integer> reached = new TreeSet<>();
        reached.add(number(label));
        for (int i = 0; i < header.size(); i++) {
            if (DIRECT.contains(row.get(i))) {
                reached.add(number(header.get(i)));
            }
        }
        return reached;
    }

    private static void join(List<SortedSet<Integer>> groups, SortedSet<Integer> more) {
        SortedSet<Integer> joined = new TreeSet<>(more);
        groups.removeIf(group -> {
            boolean touches = !Collections.disjoint(group, joined);
            if (touches) {
                joined.addAll(group);
            }
            return touches;
        });
        groups.add(joined);
    }

    private static boolean isLabel(String word) {
        return LABEL.matcher(word).matches();
    }

    private static int number(String label) {
        Matcher matcher = LABEL.matcher(label);
        return matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
    }

    private static String shout(String word) {
        return word.toUpperCase(Locale.ROOT);
    }
}
