package org.rankunit.collective.simulate.lockstep;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.DeadlockException;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.LinkUse;
import org.rankunit.collective.simulate.PortKind;
import org.rankunit.collective.simulate.PortUse;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;

/**
 * Times the tasks of rank 0 in place of those of all ranks, where a symmetry makes these the same: each rank has one stream, all are on one
 * server, and ports send and receive at once. Then all ranks are at the same task at any time, each transfer has the ports of its two ends
 * alone, and nothing waits for a signal: the rank that posts it has done so at the same time as this rank has posted its own.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Lockstep {

    /** Up to here, all ranks are run. */
    static final int ALL_RANKS_UP_TO = 64;

    private static final double UNUSED = 0;

    private final CollectiveAlgorithm algorithm;
    private final CollectiveCall call;
    private final Topology topology;
    private final RankSchedule rank;

    /** What rank 0 has posted and, the other way, no task has waited for yet. */
    private final Set<Long> posted = new HashSet<>();

    private final Map<Integer, Carried> toPeers = new TreeMap<>();
    private final List<Simulation.Step> path = new ArrayList<>();
    private double now;
    private double sending;
    private long bytes;

    /** What the link to a peer has carried. */
    private static final class Carried {

        private long bytes;
        private double seconds;
    }

    private Lockstep(CollectiveAlgorithm algorithm, CollectiveCall call, Topology topology, RankSchedule rank) {
        this.algorithm = algorithm;
        this.call = call;
        this.topology = topology;
        this.rank = rank;
    }

    /**
     * Run an algorithm for more than 64 ranks by one of them. The tasks of ranks at powers of two and of the last rank are compared with
     * those of rank 0; for the others, the declaration of the symmetry is believed.
     *
     * @return empty if the symmetry does not hold or is not enough
     * @throws DeadlockException if the ranks wait forever
     */
    public static Optional<Simulation> simulate(CollectiveAlgorithm algorithm, CollectiveCall call, Topology topology) {
        return call.ranks() > ALL_RANKS_UP_TO ? byOneRank(algorithm, call, topology) : Optional.empty();
    }

    static Optional<Simulation> byOneRank(CollectiveAlgorithm algorithm, CollectiveCall call, Topology topology) {
        boolean oneServer = call.servers().count() == 1;
        if (algorithm.symmetry(call) == Symmetry.NONE
                || !oneServer
                || !topology.inside().duplex()) {
            return Optional.empty();
        }
        RankSchedule first = Schedule.ofRank(algorithm, call, 0);
        if (first.streams() > 1 || !isSymmetric(algorithm, call, first)) {
            return Optional.empty();
        }
        return Optional.of(new Lockstep(algorithm, call, topology, first).run());
    }

    private static boolean isSymmetric(CollectiveAlgorithm algorithm, CollectiveCall call, RankSchedule first) {
        Set<Integer> compared = new HashSet<>(Set.of(call.ranks() - 1));
        for (int rank = 1; rank < call.ranks(); rank *= 2) {
            compared.add(rank);
        }
        Symmetry symmetry = algorithm.symmetry(call);
        return compared.stream()
                .allMatch(rank -> isShifted(symmetry, call.ranks(), first, Schedule.ofRank(algorithm, call, rank)));
    }

    private static boolean isShifted(Symmetry symmetry, int ranks, RankSchedule first, RankSchedule other) {
        if (first.size() != other.size() || other.streams() > 1) {
            return false;
        }
        for (int task = 0; task < first.size(); task++) {
            int peer = first.peer(task);
            boolean same = first.kind(task) == other.kind(task)
                    && other.peer(task) == (peer < 0 ? peer : symmetry.moved(peer, other.rank(), ranks))
                    && first.code(task) == other.code(task)
                    && first.bytes(task) == other.bytes(task);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private Simulation run() {
        for (int task = 0; task < rank.size(); task++) {
            now += topology.task();
            TaskKind kind = rank.kind(task);
            switch (kind) {
                case POST -> posted.add(key(rank.peer(task), rank.code(task)));
                case WAIT -> take(task);
                default -> move(task, kind);
            }
        }
        return result();
    }

    private static long key(int peer, int code) {
        return ((long) peer << Integer.SIZE) | code;
    }

    /** Another rank posts to rank 0 when rank 0 posts to the rank that is as far on the other side. */
    private void take(int task) {
        int peer = rank.peer(task);
        int other = peer < 0 ? peer : algorithm.symmetry(call).inverse(peer, call.ranks());
        if (!posted.remove(key(other, rank.code(task)))) {
            throw new DeadlockException(algorithm.name() + ", " + call + ": all " + call.ranks()
                    + " ranks wait forever, rank 0 in:\n  " + rank.task(task));
        }
    }

    private void move(int task, TaskKind kind) {
        long size = rank.bytes(task);
        double begin = now;
        double reduction = kind.reduces() ? size * topology.reduction() : 0;
        if (kind.isTransfer()) {
            LinkModel link = topology.inside();
            double seconds = size / link.bandwidth();
            now = begin + link.latency() + seconds + reduction;
            sending += seconds;
            bytes += size;
            int peer = rank.peer(task);
            // What rank 0 reads from a rank, some rank reads from rank 0.
            int to = kind.readsThere() ? algorithm.symmetry(call).inverse(peer, call.ranks()) : peer;
            Carried carried = toPeers.computeIfAbsent(to, missing -> new Carried());
            carried.bytes += size;
            carried.seconds += seconds;
        } else {
            now = begin + size / topology.copyBandwidth() + reduction;
        }
        path.add(new Simulation.Step(rank.task(task), begin, now));
    }

    private Simulation result() {
        int n = call.ranks();
        int ports = topology.inside().ports();
        double share = now == 0 ? UNUSED : sending / ports / now;
        List<Double> busy =
                new ArrayList<>(Collections.nCopies(topology.levels().size(), UNUSED));
        busy.set(0, share);
        List<PortUse> uses = bytes == 0
                ? List.of()
                : List.of(
                        new PortUse(0, 0, PortKind.SENDING, bytes * n, share),
                        new PortUse(0, 0, PortKind.RECEIVING, bytes * n, share));
        return new Simulation(
                algorithm.name(),
                call,
                now,
                Collections.nCopies(n, now),
                (long) rank.size() * n,
                busy,
                uses,
                links(),
                path);
    }

    /** The busiest link first; of equal ones, the one of the smallest ranks. */
    private List<LinkUse> links() {
        List<LinkUse> links = new ArrayList<>();
        for (int from = 0; from < call.ranks(); from++) {
            int sender = from;
            toPeers.forEach((peer, carried) -> links.add(new LinkUse(
                    sender,
                    algorithm.symmetry(call).moved(peer, sender, call.ranks()),
                    carried.bytes,
                    now == 0 ? UNUSED : carried.seconds / now)));
        }
        links.sort(Comparator.comparingDouble(LinkUse::busy)
                .reversed()
                .thenComparingInt(LinkUse::from)
                .thenComparingInt(LinkUse::to));
        return links;
    }
}
