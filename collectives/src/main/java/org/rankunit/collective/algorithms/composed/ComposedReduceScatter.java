package org.rankunit.collective.algorithms.composed;

import java.util.List;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/** A reduce-scatter in each level, from the outermost one on, which leaves the parts of one unit of the level below in scratch memory. */
final class ComposedReduceScatter implements Composition {

    @Override
    public List<Collective> needed(int level, int last) {
        return List.of(Collective.REDUCE_SCATTER);
    }

    @Override
    public Stages stages(CollectiveCall call, Grid grid, Levels levels, int rank) {
        int last = grid.last();
        Stages stages = new Stages(
                each -> last == 0 ? 0 : grid.block(call, each, last - 1).bytes());
        for (int level = last; level >= 0; level--) {
            List<Integer> group = grid.group(rank, level);
            int below = level - 1;
            List<Slice> parts =
                    group.stream().map(each -> grid.block(call, each, below)).toList();
            boolean inPlace = last == 0 ? call.inPlace() : level > 0 && level < last;
            stages.add(
                    levels.algorithm(level, Collective.REDUCE_SCATTER),
                    Composition.inner(call, Collective.REDUCE_SCATTER, level, parts)
                            .withInPlace(inPlace),
                    group,
                    level == last ? Stages.all(BufferKind.INPUT) : block(call, grid, level),
                    level == 0 ? Stages.all(BufferKind.OUTPUT) : block(call, grid, below));
        }
        return stages;
    }

    /** A block in the scratch memory, which has that of the level below the outermost one. */
    private static Stages.Place block(CollectiveCall call, Grid grid, int level) {
        return (whole, rank) -> {
            Slice block = grid.block(call, rank, level);
            long from = block.from() - grid.block(call, rank, grid.last() - 1).from();
            return whole.buffer(BufferKind.SCRATCH, rank).part(from, block.bytes());
        };
    }
}
