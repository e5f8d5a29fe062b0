package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.Topology;

/**
 * Operations of ranks that send, receive and compute, with dependencies: what a GOAL file or Chakra traces say. Immutable.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class GoalProgram {

    /** All messages take time. */
    public static final long NO_SIGNALS = -1;

    /** Every send ends when its message has arrived. */
    public static final long NO_EAGER = -1;

    private final List<Operations> ranks;

    GoalProgram(List<Operations> ranks) {
        this.ranks = List.copyOf(ranks);
    }

    /**
     * Express the tasks of a schedule by messages, as {@link GoalFile} says.
     *
     * @throws IllegalArgumentException if streams wait forever, or a notify is posted while it is set, or is never awaited
     */
    public static GoalProgram of(Schedule schedule, LocalCost cost) {
        return new GoalMapping(schedule, cost).run();
    }

    /** Take the operations of each rank, which are built, without circles, and whose messages match. */
    @API(status = INTERNAL, since = "0.1")
    public static GoalProgram of(List<Operations> ranks) {
        return new GoalProgram(ranks);
    }

    /** Number of ranks. */
    public int ranks() {
        return ranks.size();
    }

    /** Number of operations of all ranks. */
    public long size() {
        return ranks.stream().mapToLong(Operations::size).sum();
    }

    /** Get the operations of a rank; their places are the numbers by which they depend on each other. */
    public List<GoalOperation> operations(int rank) {
        return ranks.get(rank).all();
    }

    Operations packed(int rank) {
        return ranks.get(rank);
    }

    /** Run all operations on a machine with one server, where every message takes time. */
    public GoalTimes simulate(Topology topology) {
        return simulate(topology, Servers.one(ranks()), NO_SIGNALS);
    }

    /**
     * Run all operations on a machine, by discrete events.
     *
     * <p>A message takes the ports and links that a transfer of {@link org.rankunit.collective.simulate.Simulation} takes, and as long. A send
     * ends when its message has arrived, and a receive when the message has arrived and it has started itself. Of several messages
     * from one rank to another with the same tag, the one that arrives first goes to the receive that starts first; receives from any rank
     * or of any tag take the first message that fits. A computation
     * occupies its cpu; each operation does so for {@link Topology#task()} first.
     *
     * @param servers which ranks are on one server; of all ranks
     * @param signalBytes messages of at most that many bytes arrive at once and need no port, as signals of a schedule do: {@link
     *     GoalFile#SIGNAL_BYTES} for files that RankUnit wrote, {@link #NO_SIGNALS} for others
     * @throws IllegalArgumentException if operations wait forever, of which the message names some, or send more than 2^58 bytes together
     */
    public GoalTimes simulate(Topology topology, Servers servers, long signalBytes) {
        return simulate(topology, servers, signalBytes, NO_EAGER);
    }

    /**
     * Run all operations on a machine where small messages are eager, as LogGOPSim does with its parameter S: the send of one ends when
     * its message begins to leave.
     *
     * @param servers which ranks are on one server; of all ranks
     * @param signalBytes messages of at most that many bytes arrive at once and need no port; {@link #NO_SIGNALS}
     * @param eagerBytes messages of at most that many bytes are eager; {@link #NO_EAGER}
     * @throws IllegalArgumentException if operations wait forever, of which the message names some, or send more than 2^58 bytes together
     */
    public GoalTimes simulate(Topology topology, Servers servers, long signalBytes, long eagerBytes) {
        if (servers.ranks() != ranks()) {
            throw new IllegalArgumentException("servers of " + servers.ranks() + " ranks: the program has " + ranks());
        }
        return new GoalRun(this, topology, servers, signalBytes, eagerBytes).run();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GoalProgram that && ranks.equals(that.ranks);
    }

    @Override
    public int hashCode() {
        return ranks.hashCode();
    }

    /** Returns {@code "48 operations of 4 ranks"}. */
    @Override
    public String toString() {
        return size()
                + (size() == 1 ? " operation of " : " operations of ")
                + ranks()
                + (ranks() == 1 ? " rank" : " ranks");
    }
}
