package org.rankunit.collective.algorithms.composed;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * A reduce-scatter in each level but the outermost one, from the innermost on; an all-reduce of what a rank has left there; and an
 * all-gather in each level on the way back. All but the first one work in the output.
 */
final class ComposedAllReduce implements Composition {

    @Override
    public List<Collective> needed(int level, int last) {
        return level == last
                ? List.of(Collective.ALL_REDUCE)
                : List.of(Collective.REDUCE_SCATTER, Collective.ALL_GATHER);
    }

    @Override
    public Stages stages(CollectiveCall call, Grid grid, Levels levels, int rank) {
        Stages stages = new Stages(each -> 0);
        int last = grid.last();
        for (int level = 0; level < last; level++) {
            CollectiveCall inner = parts(call, grid, rank, level, Collective.REDUCE_SCATTER);
            stages.add(
                    levels.algorithm(level, Collective.REDUCE_SCATTER),
                    inner.withInPlace(level > 0 || call.inPlace()),
                    grid.group(rank, level),
                    level == 0 ? Stages.all(BufferKind.INPUT) : slice(call, grid, level - 1),
                    slice(call, grid, level));
        }
        long rest = slice(call, grid, rank, last - 1).bytes() / call.elementBytes();
        CollectiveCall outermost =
                Composition.inner(call, Collective.ALL_REDUCE, grid.sizes().get(last), last, rest);
        stages.add(
                levels.algorithm(last, Collective.ALL_REDUCE),
                outermost.withInPlace(last > 0 || call.inPlace()),
                grid.group(rank, last),
                last == 0 ? Stages.all(BufferKind.INPUT) : slice(call, grid, last - 1),
                slice(call, grid, last - 1));
        for (int level = last - 1; level >= 0; level--) {
            stages.add(
                    levels.algorithm(level, Collective.ALL_GATHER),
                    parts(call, grid, rank, level, Collective.ALL_GATHER).withInPlace(true),
                    grid.group(rank, level),
                    slice(call, grid, level),
                    slice(call, grid, level - 1));
        }
        return stages;
    }

    private static CollectiveCall parts(CollectiveCall call, Grid grid, int rank, int level, Collective collective) {
        return Composition.inner(
                call,
                collective,
                level,
                IntStream.range(0, grid.sizes().get(level))
                        .mapToObj(part -> slice(call, grid, rank, level - 1)
                                .part(part, grid.sizes().get(level), call.elementBytes()))
                        .toList());
    }

    private static Stages.Place slice(CollectiveCall call, Grid grid, int level) {
        return (whole, rank) -> whole.buffer(BufferKind.OUTPUT, rank).part(slice(call, grid, rank, level));
    }

    /** What a rank reduces in a level; all before the first one. */
    private static Slice slice(CollectiveCall call, Grid grid, int rank, int level) {
        Slice slice = call.part(0, 1);
        for (int each = 0; each <= level; each++) {
            slice = slice.part(grid.coordinate(rank, each), grid.sizes().get(each), call.elementBytes());
        }
        return slice;
    }
}
