package org.rankunit.collective.algorithms.composed;

import java.util.List;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/** An all-gather in each level, from the innermost one on, in the output. */
final class ComposedAllGather implements Composition {

    @Override
    public List<Collective> needed(int level, int last) {
        return List.of(Collective.ALL_GATHER);
    }

    @Override
    public Stages stages(CollectiveCall call, Grid grid, Levels levels, int rank) {
        Stages stages = new Stages(each -> 0);
        for (int level = 0; level <= grid.last(); level++) {
            List<Integer> group = grid.group(rank, level);
            int below = level - 1;
            List<Slice> parts =
                    group.stream().map(each -> grid.block(call, each, below)).toList();
            stages.add(
                    levels.algorithm(level, Collective.ALL_GATHER),
                    Composition.inner(call, Collective.ALL_GATHER, level, parts)
                            .withInPlace(level > 0 || call.inPlace()),
                    group,
                    level == 0 ? Stages.all(BufferKind.INPUT) : block(call, grid, below),
                    block(call, grid, level));
        }
        return stages;
    }

    private static Stages.Place block(CollectiveCall call, Grid grid, int level) {
        return (whole, rank) -> whole.buffer(BufferKind.OUTPUT, rank).part(grid.block(call, rank, level));
    }
}
