package org.rankunit.engine.lockstep;

import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.rankunit.engine.protocol.RankOutcome;

/** Tests and containers that some ranks have left by an assumption or a condition while other ranks have not ended them. */
final class EarlyExits {

    private final int ranks;
    private final Map<String, Ends> open = new LinkedHashMap<>();

    /** How many of the open ones have been left by some rank. */
    private int left;

    /** Which ranks have ended one test or container, and which of these have left it early. */
    private static final class Ends {
        final Set<Integer> ended = new HashSet<>();
        final TreeSet<Integer> left = new TreeSet<>();
        long firstLeft;
    }

    EarlyExits(int ranks) {
        this.ranks = ranks;
    }

    /** Record how something ended on one rank; it is forgotten once it has ended on all ranks. */
    void ended(String uniqueId, int rank, RankOutcome outcome) {
        Ends ends = open.computeIfAbsent(uniqueId, id -> new Ends());
        ends.ended.add(rank);
        if (outcome.isLeft()) {
            if (ends.left.isEmpty()) {
                ends.firstLeft = System.nanoTime();
            }
            ends.left.add(rank);
            left += ends.left.size() == 1 ? 1 : 0;
        }
        if (ends.ended.size() == ranks) {
            open.remove(uniqueId);
            left -= ends.left.isEmpty() ? 0 : 1;
        }
    }

    /** Whether no rank has left anything that others are still in. */
    boolean areNone() {
        return left == 0;
    }

    boolean hasEnded(String uniqueId, int rank) {
        Ends ends = open.get(uniqueId);
        return ends != null && ends.ended.contains(rank);
    }

    /** Find what some rank has left and that satisfies the predicate; if there are several, the one that was left first. */
    Optional<String> firstLeft(Predicate<String> asAskedFor) {
        return open.entrySet().stream()
                .filter(e -> !e.getValue().left.isEmpty() && asAskedFor.test(e.getKey()))
                .min(Comparator.comparingLong(e -> e.getValue().firstLeft))
                .map(Map.Entry::getKey);
    }

    /** When the first rank left it, as {@link System#nanoTime()}. */
    long leftAt(String uniqueId) {
        return left(uniqueId).firstLeft;
    }

    /** The lowest rank that has left it. */
    int leaver(String uniqueId) {
        return left(uniqueId).left.first();
    }

    private Ends left(String uniqueId) {
        Ends ends = open.get(uniqueId);
        if (ends == null || ends.left.isEmpty()) {
            throw new IllegalArgumentException("no rank has left " + uniqueId);
        }
        return ends;
    }
}
