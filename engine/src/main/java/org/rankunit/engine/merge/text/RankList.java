package org.rankunit.engine.merge.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Formats ranks for a sentence. */
final class RankList {

    private RankList() {}

    /** Return {@code rank 1} or {@code ranks 1, 2}, in the given order. */
    static String of(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Group ranks with the same text, in the order in which the texts first occur. */
    static Map<String, List<Integer>> byText(List<Integer> ranks, IntFunction<String> text) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int rank : ranks) {
            groups.computeIfAbsent(text.apply(rank), t -> new ArrayList<>()).add(rank);
        }
        groups.values().forEach(Collections::sort);
        return groups;
    }
}
