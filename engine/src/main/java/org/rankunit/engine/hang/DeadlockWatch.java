package org.rankunit.engine.hang;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.hang.HangSummary.Position;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.ToRank;

/**
 * Detects ranks that would wait for each other forever, long before the time-out of their test.
 *
 * <p>While all ranks are quiet, each is asked from time to time where it is. If all have answered and no other signal has arrived
 * since they were asked, a cycle of waits is a deadlock; see {@link WaitCycle}. So are ranks that all wait, some of them for what no rank
 * does on their devices; see {@link DeviceStandstill}. A rank that does not answer proves nothing, and neither does one that waits
 * for neither its communicator nor its devices.
 */
public final class DeadlockWatch {

    /** Why ranks of a deadlock are released. */
    public static final String REASON = "this wait would never have ended";

    /** How long the ranks must be quiet before they are asked, and the interval between two checks. */
    private static final Duration QUIET = Duration.ofMillis(700);

    /** The interval if the last check has found that all ranks wait. */
    private static final Duration CONFIRM = Duration.ofMillis(100);

    /** Numbers the checks across runs, because an answer may arrive after its run has ended. */
    private static final AtomicInteger ROUNDS = new AtomicInteger();

    private final RankLinks links;
    private final Map<RankLink, FromRank.Seen> answers = new HashMap<>();

    /** Ranks that have been asked and have not answered yet. */
    private final Set<RankLink> asked = new HashSet<>();

    private Map<Integer, String> outside = Map.of();
    private final DeviceStandstill standstill = new DeviceStandstill();
    private int round;
    private long nextLook = System.nanoTime() + QUIET.toNanos();
    private @Nullable Deadlock found;

    /**
     * A deadlock that was found.
     *
     * @param waiting the ranks that are in an operation of their communicator
     * @param awaited a rank that others wait for in vain
     */
    private record Deadlock(Standstill standstill, Set<Integer> waiting, int awaited) {}

    public DeadlockWatch(RankLinks links) {
        this.links = links;
    }

    /** When to check next, as {@link System#nanoTime()}. */
    public long nextLook() {
        return nextLook;
    }

    /**
     * Whether answers are still expected. No rank is asked again before it has answered, and a run does not end before all answers
     * have arrived.
     */
    public boolean isAwaitingAnswers() {
        return !asked.isEmpty();
    }

    /** Something has happened, so the answers received until now are out of date. */
    public void disturbed(RankSignal signal) {
        if (!(signal instanceof RankSignal.Said)) {
            asked.remove(signal.link());
        }
        standstill.disturbed();
        restart();
    }

    private void restart() {
        round = ROUNDS.incrementAndGet();
        answers.clear();
        nextLook = System.nanoTime() + QUIET.toNanos();
    }

    /**
     * Ask all ranks where they are.
     *
     * @param nowOutside the ranks that are outside of the test and stay there until the others are; see {@link Position.Outside}
     */
    public void look(Map<Integer, String> nowOutside) {
        restart();
        outside = nowOutside;
        for (RankLink link : links.all()) {
            if (link.isHeard()) {
                asked.add(link);
                links.send(link, new ToRank.Look(round));
            }
        }
    }

    /** Process an answer. Returns a rank that others wait for in vain if this answer proves a deadlock. */
    public OptionalInt heard(RankLink link, FromRank.Seen seen) {
        asked.remove(link);
        if (seen.round() != round) {
            return OptionalInt.empty();
        }
        answers.put(link, seen);
        if (answers.size() < links.all().size()) {
            return OptionalInt.empty();
        }
        SortedMap<Integer, Position> positions = new TreeMap<>();
        SortedMap<Integer, FromRank.DeviceWaits> devices = new TreeMap<>();
        answers.forEach((from, said) -> {
            positions.put(from.rank(), positionOf(from.rank(), said));
            devices.put(from.rank(), said.devices());
        });
        found = deadlockIn(positions, devices);
        return found == null ? OptionalInt.empty() : OptionalInt.of(found.awaited());
    }

    private @Nullable Deadlock deadlockIn(
            SortedMap<Integer, Position> positions, SortedMap<Integer, FromRank.DeviceWaits> devices) {
        List<Integer> cycle = WaitCycle.proven(positions);
        if (!cycle.isEmpty()) {
            return deadlock(positions, cycle);
        }
        if (standstill.heard(positions, devices)) {
            return deadlock(positions, List.copyOf(positions.keySet()));
        }
        if (standstill.isSuspected()) {
            nextLook = System.nanoTime() + CONFIRM.toNanos();
        }
        return null;
    }

    private Position positionOf(int rank, FromRank.Seen said) {
        String where = outside.get(rank);
        return where == null
                ? new Position.There(said.place(), said.operations(), waitsOf(said.devices()))
                : new Position.Outside(where, said.operations());
    }

    private static List<String> waitsOf(FromRank.DeviceWaits devices) {
        return devices.hostWaits() && !devices.mayGoOn() ? devices.texts() : List.of();
    }

    /** @param stuck ranks of which each waits for another one */
    private static Deadlock deadlock(SortedMap<Integer, Position> positions, List<Integer> stuck) {
        Set<Integer> waiting = new HashSet<>();
        positions.forEach((rank, position) -> {
            if (position instanceof Position.There there
                    && (there.isInOperation() || DeviceStandstill.waitsForDevice(there))) {
                waiting.add(rank);
            }
        });
        int awaited = stuck.stream()
                .filter(rank -> positions.get(rank) instanceof Position.Outside)
                .findFirst()
                .orElse(stuck.get(0));
        return new Deadlock(Standstill.of(positions), waiting, awaited);
    }

    /** What holds the ranks, if a deadlock has been found. */
    public Optional<Standstill> deadlock() {
        return Optional.ofNullable(found).map(Deadlock::standstill);
    }

    /**
     * If a rank was released from a deadlock, report that as the failure itself and not as a consequence of another rank's failure.
     */
    public FromRank.Ended explain(RankLink link, FromRank.Ended ended) {
        Deadlock deadlock = found;
        Failure consequence = consequenceOf(ended.outcome());
        return deadlock != null && deadlock.waiting().contains(link.rank()) && consequence != null
                ? ended.as(new RankOutcome.Failed(
                        consequence,
                        deadlock.standstill().sentence(),
                        0,
                        Phase.RUN,
                        deadlock.standstill().waits()))
                : ended;
    }

    /**
     * What the release has thrown. The awaited rank takes it for a failure of its own if another rank, which was told first, has
     * aborted the communicator in its name before it was told itself.
     */
    private static @Nullable Failure consequenceOf(RankOutcome outcome) {
        if (outcome instanceof RankOutcome.Released released) {
            return released.consequence();
        }
        return outcome instanceof RankOutcome.Failed failed && isOfRelease(failed.cause()) ? failed.cause() : null;
    }

    private static boolean isOfRelease(Failure failure) {
        for (Failure each = failure; each != null; each = each.cause()) {
            if (each.message() != null && each.message().contains(REASON)) {
                return true;
            }
        }
        return false;
    }
}
