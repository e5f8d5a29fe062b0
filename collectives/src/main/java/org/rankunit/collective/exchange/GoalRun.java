package org.rankunit.collective.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.exchange.GoalOperation.Kind;
import org.rankunit.collective.simulate.Network;
import org.rankunit.collective.simulate.ReadyStreams;
import org.rankunit.collective.simulate.Topology;

/** Runs the operations of a program in the order of time. Operations have one number each, those of rank 0 first. */
final class GoalRun {

    private static final int NONE = -1;
    private static final int TOLD = 8;
    private static final double NANO = 1e-9;

    /** What happens to an operation: its number * 4 and one of these. */
    private static final int BEGINS = 0;

    private static final int GOES = 1;
    private static final int ENDS = 2;
    private static final int ARRIVES = 3;
    private static final int EVENTS = 4;

    private record Cpu(int rank, int number) {}

    private record Channel(int from, int to, int tag) {}

    private final GoalProgram program;
    private final Topology topology;
    private final long signalBytes;
    private final long eagerBytes;
    private final Network network;
    private final ReadyStreams events = new ReadyStreams();

    private final int[] firsts;
    private final int[] rankOf;
    /** How many others an operation still waits for. */
    private final int[] pending;

    private final boolean[] ended;
    /** Those that wait for each operation: its number * 2, and 1 if its start is enough. */
    private final int[] dependents;

    private final int[] firstDependents;
    private final int[] cpuOf;
    private final double[] cpuFree;

    /** The channel of each message, and who waits there: receives that have started, or messages that have arrived. */
    private final int[] channelOf;

    private final int[] firstReceives;
    private final int[] lastReceives;
    private final int[] firstMessages;
    private final int[] lastMessages;
    private final int[] nexts;

    private final double[] ends;
    private long messages;
    private long bytes;

    private static final long MAX_BYTES = 1L << 58;

    GoalRun(GoalProgram program, Topology topology, Servers servers, long signalBytes, long eagerBytes) {
        requireCountable(program);
        this.program = program;
        this.topology = topology;
        this.signalBytes = signalBytes;
        this.eagerBytes = eagerBytes;
        int ranks = program.ranks();
        this.network = new Network(topology, servers);
        this.firsts = new int[ranks + 1];
        for (int rank = 0; rank < ranks; rank++) {
            firsts[rank + 1] = Math.addExact(firsts[rank], program.packed(rank).size());
        }
        int size = firsts[ranks];
        this.rankOf = new int[size];
        this.pending = new int[size];
        this.ended = new boolean[size];
        this.cpuOf = new int[size];
        this.channelOf = new int[size];
        Map<Cpu, Integer> cpus = new HashMap<>();
        Map<Channel, Integer> channels = new HashMap<>();
        boolean[] any = takeFromAny();
        for (int operation = 0, rank = 0; operation < size; operation++) {
            while (operation == firsts[rank + 1]) {
                rank++;
            }
            rankOf[operation] = rank;
            Operations packed = program.packed(rank);
            int number = operation - firsts[rank];
            pending[operation] = packed.first(number + 1) - packed.first(number);
            cpuOf[operation] = cpus.computeIfAbsent(new Cpu(rank, packed.cpu(number)), cpu -> cpus.size());
            channelOf[operation] = packed.kind(number) == Kind.CALC
                    ? NONE
                    : channels.computeIfAbsent(channel(packed, rank, number, any), channel -> channels.size());
        }
        this.cpuFree = new double[cpus.size()];
        this.firstReceives = filled(channels.size());
        this.lastReceives = filled(channels.size());
        this.firstMessages = filled(channels.size());
        this.lastMessages = filled(channels.size());
        this.nexts = filled(size);
        this.firstDependents = new int[size + 1];
        this.dependents = dependents(size);
        this.ends = new double[ranks];
    }

    /** Bytes are summed, also those of each port and link on the way. */
    private static void requireCountable(GoalProgram program) {
        long left = MAX_BYTES;
        for (int rank = 0; rank < program.ranks(); rank++) {
            Operations packed = program.packed(rank);
            for (int number = 0; number < packed.size(); number++) {
                long bytes = packed.kind(number) == Kind.SEND ? packed.amount(number) : 0;
                if (bytes > left) {
                    throw new IllegalArgumentException(
                            "its sends have more than " + MAX_BYTES + " bytes together, which cannot be timed");
                }
                left -= bytes;
            }
        }
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NONE);
        return array;
    }

    /** The ranks for which it is not enough to look at the first message of a channel. */
    private boolean[] takeFromAny() {
        boolean[] any = new boolean[program.ranks()];
        for (int rank = 0; rank < any.length; rank++) {
            Operations packed = program.packed(rank);
            for (int number = 0; number < packed.size(); number++) {
                int peer = packed.peer(number);
                boolean anyTag = packed.kind(number) != Kind.CALC && packed.tag(number) == GoalOperation.ANY;
                if (packed.kind(number) == Kind.RECV && (anyTag || peer == GoalOperation.ANY)) {
                    any[rank] = true;
                } else if (anyTag) {
                    any[peer] = true;
                }
            }
        }
        return any;
    }

    private static Channel channel(Operations packed, int rank, int number, boolean[] any) {
        int peer = packed.peer(number);
        int to = packed.kind(number) == Kind.SEND ? peer : rank;
        if (any[to]) {
            return new Channel(GoalOperation.ANY, to, GoalOperation.ANY);
        }
        return packed.kind(number) == Kind.SEND
                ? new Channel(rank, peer, packed.tag(number))
                : new Channel(peer, rank, packed.tag(number));
    }

    private int[] dependents(int size) {
        for (int operation = 0; operation < size; operation++) {
            Operations packed = packed(operation);
            for (int at = packed.first(number(operation)); at < packed.first(number(operation) + 1); at++) {
                firstDependents[firsts[rankOf[operation]] + packed.required(at) + 1]++;
            }
        }
        for (int operation = 0; operation < size; operation++) {
            firstDependents[operation + 1] += firstDependents[operation];
        }
        int[] found = new int[firstDependents[size]];
        int[] next = firstDependents.clone();
        for (int operation = 0; operation < size; operation++) {
            Operations packed = packed(operation);
            for (int at = packed.first(number(operation)); at < packed.first(number(operation) + 1); at++) {
                int required = firsts[rankOf[operation]] + packed.required(at);
                found[next[required]++] = 2 * operation + (packed.isOfStart(at) ? 1 : 0);
            }
        }
        return found;
    }

    private Operations packed(int operation) {
        return program.packed(rankOf[operation]);
    }

    private int number(int operation) {
        return operation - firsts[rankOf[operation]];
    }

    GoalTimes run() {
        for (int operation = 0; operation < pending.length; operation++) {
            if (pending[operation] == 0) {
                occupyCpu(operation, 0);
            }
        }
        while (!events.isEmpty()) {
            double time = events.firstTime();
            int event = events.remove();
            if (event < 0) {
                release(-1 - event, time);
                continue;
            }
            int operation = event / EVENTS;
            switch (event % EVENTS) {
                case BEGINS -> settle(operation, true, time);
                case GOES -> go(operation, time);
                case ARRIVES -> arrive(operation, time);
                default -> end(operation, time);
            }
        }
        requireEnd();
        List<Double> ofRanks = new ArrayList<>();
        for (double each : ends) {
            ofRanks.add(each);
        }
        return new GoalTimes(Arrays.stream(ends).max().orElse(0), ofRanks, messages, bytes);
    }

    /** All that an operation requires has happened: it starts as soon as its cpu is free. */
    private void occupyCpu(int operation, double time) {
        Operations packed = packed(operation);
        double start = Math.max(time, cpuFree[cpuOf[operation]]);
        double takes = topology.task()
                + (packed.kind(number(operation)) == Kind.CALC ? packed.amount(number(operation)) * NANO : 0);
        cpuFree[cpuOf[operation]] = start + takes;
        events.add(start, operation * EVENTS + BEGINS);
        events.add(start + takes, operation * EVENTS + GOES);
    }

    /** An operation has started, or ended: those that wait for this may start. */
    private void settle(int operation, boolean start, double time) {
        for (int at = firstDependents[operation]; at < firstDependents[operation + 1]; at++) {
            if ((dependents[at] % 2 == 1) == start) {
                int dependent = dependents[at] / 2;
                pending[dependent]--;
                if (pending[dependent] == 0) {
                    occupyCpu(dependent, time);
                }
            }
        }
    }

    private void go(int operation, double time) {
        switch (packed(operation).kind(number(operation))) {
            case CALC -> end(operation, time);
            case SEND -> send(operation, time);
            case RECV -> receive(operation, time);
        }
    }

    private void send(int operation, double time) {
        if (packed(operation).amount(number(operation)) <= signalBytes) {
            end(operation, time);
            return;
        }
        int[] route = route(operation);
        if (network.isFreeOrWaits(route, operation)) {
            transfer(operation, route, time);
        }
    }

    private int[] route(int operation) {
        return network.route(rankOf[operation], packed(operation).peer(number(operation)));
    }

    private void transfer(int operation, int[] route, double time) {
        int from = rankOf[operation];
        int to = packed(operation).peer(number(operation));
        long size = packed(operation).amount(number(operation));
        double seconds = network.seconds(from, to, size);
        network.occupy(route, operation, size, seconds);
        for (int port : route) {
            events.add(time + seconds, -1 - port);
        }
        boolean eager = isEager(operation);
        events.add(time + network.latency(from, to) + seconds, operation * EVENTS + (eager ? ARRIVES : ENDS));
        if (eager) {
            events.add(time, operation * EVENTS + ENDS);
        }
        messages++;
        bytes += size;
    }

    /** Whether a send ends when its message begins to leave. A signal, which ends and arrives at once, is no message that leaves. */
    private boolean isEager(int operation) {
        long size = packed(operation).amount(number(operation));
        return size > signalBytes && size <= eagerBytes;
    }

    private void release(int port, double time) {
        network.release(port);
        for (int operation : network.waiting(port)) {
            int[] route = route(operation);
            if (network.isFreeAgain(route, operation)) {
                transfer(operation, route, time);
            }
        }
    }

    private void receive(int operation, double time) {
        int message = take(operation, firstMessages, lastMessages);
        if (message != NONE) {
            end(operation, time);
        } else {
            append(operation, firstReceives, lastReceives);
        }
    }

    private void arrive(int operation, double time) {
        int receive = take(operation, firstReceives, lastReceives);
        if (receive != NONE) {
            end(receive, time);
        } else {
            append(operation, firstMessages, lastMessages);
        }
    }

    /** Take the first one of a list that an operation fits. */
    private int take(int operation, int[] first, int[] last) {
        int channel = channelOf[operation];
        int before = NONE;
        int each = first[channel];
        while (each != NONE && !fits(operation, each)) {
            before = each;
            each = nexts[each];
        }
        if (each == NONE) {
            return NONE;
        }
        if (before == NONE) {
            first[channel] = nexts[each];
        } else {
            nexts[before] = nexts[each];
        }
        if (last[channel] == each) {
            last[channel] = before;
        }
        nexts[each] = NONE;
        return each;
    }

    /** Whether a send and a receive of one channel fit; a send that fits any tag is taken by any receive. */
    private boolean fits(int one, int other) {
        int send = packed(one).kind(number(one)) == Kind.SEND ? one : other;
        int receive = send == one ? other : one;
        int tag = packed(send).tag(number(send));
        int wanted = packed(receive).tag(number(receive));
        int from = packed(receive).peer(number(receive));
        return (from == GoalOperation.ANY || from == rankOf[send])
                && (wanted == GoalOperation.ANY || tag == GoalOperation.ANY || wanted == tag);
    }

    private void append(int operation, int[] first, int[] last) {
        int channel = channelOf[operation];
        if (first[channel] == NONE) {
            first[channel] = operation;
        } else {
            nexts[last[channel]] = operation;
        }
        last[channel] = operation;
    }

    private void end(int operation, double time) {
        ended[operation] = true;
        int rank = rankOf[operation];
        ends[rank] = Math.max(ends[rank], time);
        settle(operation, false, time);
        if (packed(operation).kind(number(operation)) == Kind.SEND && !isEager(operation)) {
            arrive(operation, time);
        }
    }

    private void requireEnd() {
        List<String> stuck = new ArrayList<>();
        for (int operation = 0; operation < ended.length; operation++) {
            if (!ended[operation]) {
                stuck.add(packed(operation).operation(number(operation)) + ", operation " + number(operation)
                        + " of rank " + rankOf[operation]);
            }
        }
        if (!stuck.isEmpty()) {
            throw new IllegalArgumentException(CappedMessages.text(stuck, "operations wait forever", TOLD));
        }
    }
}
