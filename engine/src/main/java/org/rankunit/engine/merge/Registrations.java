package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rankunit.engine.merge.text.AgreementText;

/**
 * The tests that each rank of the current group registered for one template or factory.
 *
 * <p>All ranks must register the same tests. The unique ids only give the position of a test, so dynamic tests are also compared
 * by name: nothing else identifies which of them a rank runs. The names of invocations may differ between ranks, because
 * they show arguments, as in {@code Input@1a2b}, and the source code of the test fixes which argument comes at which position.
 */
final class Registrations {

    /** By rank: names by unique id, in the order of the rank. */
    private final SortedMap<Integer, Map<String, String>> byRank = new TreeMap<>();

    void add(int rank, String uniqueId, String name) {
        byRank.computeIfAbsent(rank, r -> new LinkedHashMap<>()).put(uniqueId, name);
    }

    void clear() {
        byRank.clear();
    }

    /** The ranks that registered this test or container. */
    List<Integer> ranksWith(String uniqueId) {
        return byRank.entrySet().stream()
                .filter(e -> e.getValue().containsKey(uniqueId))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Of the tests that ranks are about to run, find those that only some ranks have: other ranks are past the template or factory
     * that creates them, or are at another of its tests and have not registered them.
     *
     * @param awaited the next test of each rank; a rank that has ended is missing
     */
    static Set<TestNode> ofSomeRanks(Map<Integer, TestNode> awaited, int ranks) {
        Set<TestNode> passedBy = awaited.values().stream()
                .filter(node ->
                        IntStream.range(0, ranks).anyMatch(rank -> awaited.get(rank) != node && node.isPassedBy(rank)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (!passedBy.isEmpty()) {
            return passedBy;
        }
        return awaited.values().stream()
                .filter(node -> awaited.entrySet().stream()
                        .anyMatch(other ->
                                other.getValue() != node && isUnknownTo(other.getKey(), other.getValue(), node)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether a rank that is at one test of a template or factory has not registered another test of the same one. */
    private static boolean isUnknownTo(int rank, TestNode at, TestNode node) {
        return node.parent != null
                && at.registrar() == node.registrar()
                && !node.registrar().registrations.ranksWith(node.uniqueId).contains(rank);
    }

    /** Describe which ranks registered what at this position, if they gave a dynamic test there different names. */
    Optional<String> otherNames(String uniqueId) {
        Map<String, List<Integer>> names = new LinkedHashMap<>();
        byRank.forEach((rank, registered) -> {
            String name = registered.get(uniqueId);
            if (name != null) {
                names.computeIfAbsent(name, n -> new ArrayList<>()).add(rank);
            }
        });
        if (names.size() < 2 || !isDynamic(uniqueId)) {
            return Optional.empty();
        }
        return Optional.of(AgreementText.differentNames(names));
    }

    private static boolean isDynamic(String uniqueId) {
        return uniqueId.startsWith("[dynamic-", uniqueId.lastIndexOf('['));
    }

    /** Describe which ranks registered what, if that differs. */
    Optional<String> difference(int ranks) {
        Map<Set<String>, List<Integer>> kinds = new LinkedHashMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            kinds.computeIfAbsent(places(rank), k -> new ArrayList<>()).add(rank);
        }
        if (kinds.size() < 2) {
            return Optional.empty();
        }
        Set<String> common = new LinkedHashSet<>(places(0));
        kinds.keySet().forEach(common::retainAll);
        List<AgreementText.Registered> registered = kinds.values().stream()
                .map(alike -> new AgreementText.Registered(alike, namesByPlace(alike.get(0))))
                .toList();
        return Optional.of(AgreementText.differentTests(registered, common));
    }

    /** What must be the same on all ranks: the position of each test, and for a dynamic test also its name. */
    private Set<String> places(int rank) {
        return namesByPlace(rank).keySet();
    }

    private Map<String, String> namesByPlace(int rank) {
        Map<String, String> names = new LinkedHashMap<>();
        byRank.getOrDefault(rank, Map.of()).forEach((uniqueId, name) -> names.put(place(uniqueId, name), name));
        return names;
    }

    private static String place(String uniqueId, String name) {
        return isDynamic(uniqueId) ? uniqueId + " " + name : uniqueId;
    }
}
