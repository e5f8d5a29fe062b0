package org.rankunit.collective.algorithms.levels;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.rankunit.collective.Link;
import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * A ring between servers on the main stream; beside it, inside the server, what the next step of the ring needs, or what the last one has
 * brought.
 *
 * <p>Source: HCCL's pipeline between servers.
 *
 * @param parts the part of each rank, in the inputs of a reduce-scatter and the outputs of an all-gather
 */
record Pipeline(Orchestration self, Levels levels, IntFunction<Slice> parts) {

    /** Of a reduce-scatter: go on, done, and all have read. */
    static final int NOTIFIES = 3;

    static Pipeline of(Orchestration self, IntFunction<Slice> parts) {
        return new Pipeline(self, Levels.of(self.call(), self.rank()), parts);
    }

    static Resources ofReduceScatter(CollectiveCall call, int rank, IntFunction<Slice> parts) {
        Levels levels = Levels.of(call, rank);
        return new Resources(sumsBefore(levels, parts, levels.servers() - 1), 1, NOTIFIES, links(levels));
    }

    static Resources ofAllGather(CollectiveCall call, int rank) {
        Levels levels = Levels.of(call, rank);
        return new Resources(0, levels.places() - 1, 2 * (levels.places() - 1), links(levels));
    }

    private static List<Integer> links(Levels levels) {
        List<Integer> links = new ArrayList<>(levels.local().peers());
        if (levels.servers() > 1) {
            links.add(onRail(levels, 1));
        }
        if (levels.servers() > 2) {
            links.add(onRail(levels, -1));
        }
        return links;
    }

    /** The rank at this place some servers further on. */
    private static int onRail(Levels levels, int distance) {
        return levels.rank(levels.place(), Math.floorMod(levels.server() + distance, levels.servers()));
    }

    /** Reduce the inputs of all ranks: this rank gets its part. */
    void reduceScatter(Region result) {
        TaskStream main = self.main();
        int servers = levels.servers();
        LocalNotify goOn = self.notify(0);
        LocalNotify done = self.notify(1);
        insideServer(result, goOn, done);
        main.post(goOn);
        for (int step = 0; step < servers; step++) {
            main.waitFor(done);
            if (step < servers - 1) {
                main.post(goOn);
            }
            if (step > 0) {
                Link before = self.link(onRail(levels, -1));
                main.rxAck(before);
                main.getReduce(before, sum(before.peer(), step - 1), sum(step, result));
                main.txDataSignal(before);
            }
            if (servers > 1) {
                passOn(step);
            }
        }
        main.waitFor(self.notify(2));
    }

    /** Offer the sum of a step to the next server, once it has read that of the step before. */
    private void passOn(int step) {
        Link next = self.link(onRail(levels, 1));
        if (step > 0) {
            self.main().rxDataSignal(next);
        }
        if (step < levels.servers() - 1) {
            self.main().txAck(next);
        }
    }

    /** On a sub stream: reduce inside the server what each step of the ring needs. */
    private void insideServer(Region result, LocalNotify goOn, LocalNotify done) {
        TaskStream sub = self.sub(0);
        List<Link> peers = levels.local().peers().stream().map(self::link).toList();
        for (int step = 0; step < levels.servers(); step++) {
            sub.waitFor(goOn);
            if (step == 0) {
                meet(sub, peers, Signal.ACK);
            }
            Slice part = parts.apply(target(levels, step));
            Region sum = sum(step, result);
            sub.copy(self.input().part(part), sum);
            for (Link link : peers) {
                sub.getReduce(link, self.buffer(BufferKind.INPUT, link.peer()).part(part), sum);
            }
            sub.post(done);
        }
        meet(sub, peers, Signal.DATA_SIGNAL);
        sub.post(self.notify(2));
    }

    private static void meet(TaskStream stream, List<Link> links, Signal signal) {
        links.forEach(link -> stream.post(link, signal));
        links.forEach(link -> stream.waitFor(link, signal));
    }

    /** The rank whose part a step reduces: at this place on the server before, then on the one before that; the rank itself at last. */
    private static int target(Levels levels, int step) {
        return onRail(levels, -1 - step);
    }

    private Region sum(int step, Region result) {
        return step == levels.servers() - 1 ? result : sum(self.rank(), step);
    }

    private Region sum(int rank, int step) {
        Levels there = Levels.of(self.call(), rank);
        long bytes = parts.apply(target(there, step)).bytes();
        return self.buffer(BufferKind.SCRATCH, rank).part(sumsBefore(there, parts, step), bytes);
    }

    private static long sumsBefore(Levels levels, IntFunction<Slice> parts, int end) {
        return IntStream.range(0, end)
                .mapToLong(step -> parts.apply(target(levels, step)).bytes())
                .sum();
    }

    /**
     * Each rank has its part in the output; then all have all.
     *
     * @param firstNotify one that was not used before in the call, since sub streams wait for it from the beginning
     */
    void gather(int firstNotify) {
        TaskStream main = self.main();
        List<Link> peers = levels.local().peers().stream().map(self::link).toList();
        int subs = peers.size();
        for (int step = 0; step < levels.servers(); step++) {
            for (int sub = 0; sub < subs; sub++) {
                main.post(self.notify(firstNotify + sub));
            }
            if (step < levels.servers() - 1) {
                Link before = self.link(onRail(levels, -1));
                Link next = self.link(onRail(levels, 1));
                main.txAck(next);
                main.rxAck(before);
                copyFrom(main, before, onRail(levels, -1 - step));
                main.txDataSignal(before);
                main.rxDataSignal(next);
            }
            for (int sub = 0; sub < subs; sub++) {
                main.waitFor(self.notify(firstNotify + subs + sub));
            }
        }
        for (int sub = 0; sub < subs; sub++) {
            gatherFrom(
                    peers.get(sub),
                    self.sub(sub),
                    self.notify(firstNotify + sub),
                    self.notify(firstNotify + subs + sub));
        }
    }

    /** On a sub stream: read from another rank of the server what each step has brought it. */
    private void gatherFrom(Link peer, TaskStream sub, LocalNotify goOn, LocalNotify done) {
        int place = levels.placeOf(peer.peer());
        for (int step = 0; step < levels.servers(); step++) {
            int server = Math.floorMod(levels.server() - step, levels.servers());
            sub.waitFor(goOn);
            sub.txAck(peer);
            sub.rxAck(peer);
            copyFrom(sub, peer, levels.rank(place, server));
            sub.txDataSignal(peer);
            sub.rxDataSignal(peer);
            sub.post(done);
        }
    }

    private void copyFrom(TaskStream stream, Link link, int rank) {
        Slice part = parts.apply(rank);
        stream.get(
                link,
                self.buffer(BufferKind.OUTPUT, link.peer()).part(part),
                self.output().part(part));
    }
}
