package org.rankunit.collective.algorithms.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.SubStreams;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * All-reduce on several rings, each with its own share of the data, stream and links: the first ring on the main stream, the others on sub
 * streams.
 *
 * @param n ranks
 * @param strides from each rank to the next one on each ring; without a factor that divides n
 */
record Rings(int n, List<Integer> strides) {

    Resources resources(int rank) {
        List<Integer> links = new ArrayList<>();
        int subs = n == 1 ? 0 : strides.size() - 1;
        for (int stride : strides) {
            int left = Math.floorMod(rank - stride, n);
            int right = (rank + stride) % n;
            if (left != rank) {
                links.add(left);
            }
            if (right != left) {
                links.add(right);
            }
        }
        return new Resources(0, subs, 2 * subs, links);
    }

    Optional<Cost> cost(CollectiveCall call) {
        long parts = (long) n * strides.size();
        if (n == 1 || call.count() == 0 || call.count() % parts != 0) {
            return Optional.empty();
        }
        return Optional.of(new Cost(2 * (n - 1), 2L * (n - 1) * (call.inputBytes(0) / n)));
    }

    void allReduce(Orchestration self) {
        TaskStream main = self.main();
        main.copy(self.input(), self.output());
        if (n == 1) {
            return;
        }
        int subs = strides.size() - 1;
        SubStreams.begin(self, subs);
        run(self, main, 0);
        for (int sub = 0; sub < subs; sub++) {
            run(self, self.sub(sub), sub + 1);
        }
        SubStreams.end(self, subs);
    }

    private void run(Orchestration self, TaskStream stream, int ring) {
        int rank = self.rank();
        int stride = strides.get(ring);
        Link left = link(self, ring, Math.floorMod(rank - stride, n));
        Link right = link(self, ring, (rank + stride) % n);
        for (int step = 0; step < n - 1; step++) {
            Slice part = part(self.call(), ring, Math.floorMod(rank - (long) step * stride, n));
            begin(stream, left, right);
            stream.putReduce(right, self.output().part(part), theirs(self, right, part));
            end(stream, left, right);
        }
        for (int step = 0; step < n - 1; step++) {
            Slice part = part(self.call(), ring, Math.floorMod(rank - (step - 1L) * stride, n));
            begin(stream, left, right);
            stream.put(right, self.output().part(part), theirs(self, right, part));
            end(stream, left, right);
        }
    }

    /** A link of its own for each ring on which two ranks are neighbours. */
    private Link link(Orchestration self, int ring, int peer) {
        int number = 0;
        for (int stride : strides.subList(0, ring)) {
            boolean neighbour = Math.floorMod(self.rank() - stride, n) == peer || (self.rank() + stride) % n == peer;
            number += neighbour ? 1 : 0;
        }
        return self.link(peer, number);
    }

    private Slice part(CollectiveCall call, int ring, int number) {
        return call.part(ring, strides.size()).part(number, n, call.elementBytes());
    }

    private static Region theirs(Orchestration self, Link link, Slice part) {
        return self.buffer(BufferKind.OUTPUT, link.peer()).part(part);
    }

    private static void begin(TaskStream stream, Link left, Link right) {
        stream.txAck(left);
        stream.rxAck(right);
    }

    private static void end(TaskStream stream, Link left, Link right) {
        stream.txDataSignal(right);
        stream.rxDataSignal(left);
        stream.txDataAck(left);
        stream.rxDataAck(right);
    }
}
