package org.rankunit.engine.merge.text;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Messages for ranks that disagree on their tests. */
public final class AgreementText {

    private static final String MUST_AGREE = "What a rank runs must not depend on its number, on chance or on time.";

    /** Longest list of names that is shown completely. */
    private static final int SHOWN = 10;

    private AgreementText() {}

    /** Describe that ranks gave one dynamic test different names. */
    public static String differentNames(Map<String, List<Integer>> ranksByName) {
        return "the ranks registered different tests at this place: "
                + ranksByName.entrySet().stream()
                        .map(e -> RankList.of(e.getValue()) + " " + quoted(e.getKey()))
                        .collect(Collectors.joining(", "))
                + ". " + MUST_AGREE;
    }

    /**
     * The tests that some ranks registered identically.
     *
     * @param ranks those ranks
     * @param names names of the tests by their positions
     */
    public record Registered(List<Integer> ranks, Map<String, String> names) {}

    /** Describe that ranks registered different tests; in long lists, positions that all ranks share are only counted. */
    public static String differentTests(Collection<Registered> kinds, Set<String> common) {
        boolean whole = kinds.stream().allMatch(kind -> kind.names().size() <= SHOWN);
        return "the ranks registered different tests:\n"
                + kinds.stream()
                        .map(kind -> "  " + RankList.of(kind.ranks()) + ": "
                                + list(kind.names(), whole ? Set.of() : common) + "\n")
                        .collect(Collectors.joining())
                + MUST_AGREE;
    }

    private static String list(Map<String, String> names, Set<String> counted) {
        List<String> own = names.entrySet().stream()
                .filter(e -> !counted.contains(e.getKey()))
                .map(e -> quoted(e.getValue()))
                .toList();
        String shown = own.isEmpty() ? "none" : own.stream().limit(SHOWN).collect(Collectors.joining(", "));
        String more = own.size() > SHOWN ? " and " + (own.size() - SHOWN) + " more" : "";
        return (counted.isEmpty() ? "" : counted.size() + " that all ranks have, and ") + shown + more;
    }

    /**
     * Describe that ranks are about to run different tests.
     *
     * @param next the title of each rank's next test; empty if a rank has none left
     */
    public static String differentNext(SortedMap<Integer, String> next) {
        return "the ranks are about to run different tests: "
                + next.entrySet().stream()
                        .map(e -> "rank " + e.getKey() + " " + (e.getValue().isEmpty() ? "none" : e.getValue()))
                        .collect(Collectors.joining(", "))
                + ". " + MUST_AGREE;
    }

    /** Describe that only these ranks registered a test. */
    public static String onlyOn(List<Integer> ranks) {
        return "only " + RankList.of(ranks) + " registered it. " + MUST_AGREE;
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }
}
