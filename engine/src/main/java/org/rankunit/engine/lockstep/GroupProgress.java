package org.rankunit.engine.lockstep;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.hang.HangSummary;
import org.rankunit.engine.link.RankLink;

/** How far all ranks of a group have come in a run of tests, with queries over all of them. Only the run changes the state. */
final class GroupProgress {

    private final Map<RankLink, RankProgress> ranks = new LinkedHashMap<>();

    GroupProgress(Collection<RankLink> links) {
        links.forEach(link -> ranks.put(link, new RankProgress()));
    }

    int size() {
        return ranks.size();
    }

    RankProgress of(RankLink link) {
        RankProgress progress = ranks.get(link);
        if (progress == null) {
            throw new IllegalStateException(link.describe() + " is not of this group");
        }
        return progress;
    }

    void forEach(BiConsumer<RankLink, RankProgress> action) {
        ranks.forEach(action);
    }

    /** Called for each message, so it avoids the overhead of streams. */
    boolean isUnfinished() {
        for (RankProgress progress : ranks.values()) {
            if (!progress.isFinished()) {
                return true;
            }
        }
        return false;
    }

    /** The ranks that can still be asked. */
    List<RankLink> withChannel() {
        return ranks.keySet().stream().filter(RankLink::isHeard).toList();
    }

    /** Whether every rank has begun to run tests or has finished. */
    boolean allHaveBegun() {
        return ranks.values().stream().allMatch(progress -> progress.hasBegun());
    }

    boolean allAreOutsideOfTests() {
        return ranks.values().stream().allMatch(progress -> progress.isOutsideOfTests());
    }

    /** Whether every rank waits for the next test or has finished. */
    boolean allHaveMet() {
        return ranks.values().stream().allMatch(progress -> progress.waitsFor() != null || progress.isFinished());
    }

    /** What the ranks wait to enter; {@code null} stands for ranks that have finished. */
    Set<@Nullable String> awaited() {
        return ranks.values().stream()
                .map(progress -> progress.waitsFor())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** What each rank waits to enter, with an empty string for nothing. */
    Map<Integer, String> awaitedByRank() {
        Map<Integer, String> next = new LinkedHashMap<>();
        ranks.forEach(
                (link, progress) -> next.put(link.rank(), progress.waitsFor() == null ? "" : progress.waitsFor()));
        return next;
    }

    /** Whether a rank waits to enter this test or container, or something in it. */
    boolean isAwaited(String uniqueId) {
        return ranks.values().stream()
                .map(progress -> progress.waitsFor())
                .anyMatch(test -> test != null && (test.equals(uniqueId) || test.startsWith(uniqueId + "/")));
    }

    /** The lowest rank that has finished, or else rank 0. */
    int firstFinished() {
        return ranks.entrySet().stream()
                .filter(e -> e.getValue().isFinished())
                .findFirst()
                .map(e -> e.getKey().rank())
                .orElse(0);
    }

    /**
     * Where a rank is that is not inside any test: what it reports itself, or else the place on which all reporting ranks agree,
     * since ranks reach everything together. Empty if that is not known.
     */
    String placeOutside(RankProgress progress) {
        if (!progress.place().isEmpty()) {
            return progress.place();
        }
        List<String> places = ranks.values().stream()
                .map(RankProgress::place)
                .filter(place -> !place.isEmpty())
                .distinct()
                .toList();
        return places.size() == 1 ? places.get(0) : "";
    }

    /** The ranks outside of the current test, with a description of each; see {@link HangSummary.Position}. */
    Map<Integer, String> outside() {
        Map<Integer, String> outside = new LinkedHashMap<>();
        ranks.forEach((link, progress) -> {
            if (progress.isFinished()) {
                outside.put(link.rank(), "{has} ended {its} tests");
            } else if (progress.waitsFor() != null) {
                outside.put(link.rank(), "{waits} for the others before the next test");
            } else if (!progress.doing().isEmpty()) {
                outside.put(link.rank(), "{is} " + progress.doing());
            }
        });
        return outside;
    }

    /**
     * The ranks that are still in something that another one has left. For a test it is known whether a rank is inside. A rank
     * outside of any test may be in a lifecycle method of the class, waiting in vain for the other one; a rank that is inside a
     * test has not reached the end of the class yet.
     */
    Stream<RankProgress> heldBy(String uniqueId, EarlyExits departures) {
        return ranks.entrySet().stream()
                .filter(e -> !e.getValue().isFinished()
                        && !departures.hasEnded(uniqueId, e.getKey().rank()))
                .map(Map.Entry::getValue)
                .filter(p ->
                        p.isInside(uniqueId) || (isClass(uniqueId) && p.isOutsideOfTests() && p.waitsFor() == null));
    }

    private static boolean isClass(String uniqueId) {
        String last = uniqueId.substring(uniqueId.lastIndexOf('[') + 1);
        return last.substring(0, last.indexOf(':')).contains("class");
    }
}
