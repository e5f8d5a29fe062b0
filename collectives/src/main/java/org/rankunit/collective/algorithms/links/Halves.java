package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Optional;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/** Halving and doubling in a {@link Block}: exchanges with one partner after the other. */
@API(status = INTERNAL, since = "0.1")
public final class Halves {

    private final Orchestration self;
    private final Block block;
    private final Partners partners;
    private final BufferKind buffer;
    private final IntFunction<Slice> parts;

    /**
     * @param buffer in which the data lies
     * @param parts where each of as many parts as the block has ranks lies in it
     */
    public Halves(Orchestration self, Block block, Partners partners, BufferKind buffer, IntFunction<Slice> parts) {
        this.self = self;
        this.block = block;
        this.partners = partners;
        this.buffer = buffer;
        this.parts = parts;
    }

    /** What {@link #allReduce} costs; empty if ranks have different work. */
    public static Optional<Cost> costOfAllReduce(CollectiveCall call) {
        int n = call.ranks();
        if (n == 1 || Integer.bitCount(n) > 1 || call.count() == 0 || call.count() % n != 0) {
            return Optional.empty();
        }
        return Optional.of(new Cost(
                2 * Integer.numberOfTrailingZeros(n),
                2L * (n - 1) * call.part(0, n).bytes()));
    }

    /** Reduce in the output: ranks outside of the block give their input first, and read the result at the end. */
    public static void allReduce(Orchestration self, Block block, Partners partners) {
        TaskStream main = self.main();
        if (block.isFolded(self.rank())) {
            Link neighbour = self.link(self.rank() - 1);
            Pairs.offer(main, neighbour);
            Pairs.fetch(main, neighbour, self.buffer(BufferKind.OUTPUT, neighbour.peer()), self.output());
            return;
        }
        main.copy(self.input(), self.output());
        if (block.standsForAnother(self.rank())) {
            Link neighbour = self.link(self.rank() + 1);
            Pairs.fetchReduced(main, neighbour, self.buffer(BufferKind.INPUT, neighbour.peer()), self.output());
        }
        Halves halves = new Halves(
                self, block, partners, BufferKind.OUTPUT, part -> self.call().part(part, block.size()));
        halves.reduceScatter();
        halves.gather();
        if (block.standsForAnother(self.rank())) {
            Pairs.offer(main, self.link(self.rank() + 1));
        }
    }

    /** Each rank of the block has all parts; then its own is the reduction of those of all. */
    public void reduceScatter() {
        int place = block.place(self.rank());
        for (int step = 0; 1 << step < block.size(); step++) {
            exchange(step, partners.part(place), true);
        }
    }

    /** Each rank of the block has its own part; then all have all. */
    public void gather() {
        int place = block.place(self.rank());
        for (int step = Integer.numberOfTrailingZeros(block.size()) - 1; step >= 0; step--) {
            exchange(step, partners.part(partners.of(place, step)), false);
        }
    }

    /**
     * Each rank of the block has its own part; then the one at this place has all. For partners whose parts differ in one half, quarter
     * and so on alone.
     */
    public void gatherTo(int root) {
        int place = block.place(self.rank());
        int different = partners.part(place) ^ partners.part(root);
        TaskStream main = self.main();
        for (int step = Integer.numberOfTrailingZeros(block.size()) - 1; step >= 0; step--) {
            int partner = partners.of(place, step);
            Link link = self.link(block.rank(partner));
            if ((different & (block.size() >> (step + 1))) != 0) {
                Pairs.offer(main, link);
                return;
            }
            Slice half = half(step, partners.part(partner));
            Region theirs = self.buffer(buffer, link.peer()).part(half);
            Pairs.fetch(main, link, theirs, self.buffer(buffer).part(half));
        }
    }

    /** Read what the partner has of the half in which this part is. */
    private void exchange(int step, int part, boolean reduces) {
        TaskStream main = self.main();
        Link link = self.link(block.rank(partners.of(block.place(self.rank()), step)));
        Slice slice = half(step, part);
        Region theirs = self.buffer(buffer, link.peer()).part(slice);
        Region own = self.buffer(buffer).part(slice);
        main.txAck(link);
        main.rxAck(link);
        if (reduces) {
            main.getReduce(link, theirs, own);
        } else {
            main.get(link, theirs, own);
        }
        main.txDataSignal(link);
        main.rxDataSignal(link);
    }

    /** What is exchanged in a step: the parts in the same half, quarter and so on as this one. */
    private Slice half(int step, int part) {
        int half = block.size() >> (step + 1);
        int first = part / half * half;
        long from = parts.apply(first).from();
        return new Slice(from, parts.apply(first + half - 1).end() - from);
    }
}
