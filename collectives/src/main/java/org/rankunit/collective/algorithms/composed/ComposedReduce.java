package org.rankunit.collective.algorithms.composed;

import java.util.List;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** A reduce to the rank with the root's place, from the innermost level on, in scratch memory until the outermost one. */
final class ComposedReduce implements Composition {

    @Override
    public List<Collective> needed(int level, int last) {
        return List.of(Collective.REDUCE);
    }

    @Override
    public Stages stages(CollectiveCall call, Grid grid, Levels levels, int rank) {
        int last = grid.last();
        Stages stages =
                new Stages(each -> last > 0 && grid.sameBelow(each, call.root(), 1) ? call.inputBytes(each) : 0);
        for (int level = 0; level <= last; level++) {
            if (grid.sameBelow(rank, call.root(), level)) {
                boolean inPlace = last == 0 ? call.inPlace() : level > 0 && level < last;
                int size = grid.sizes().get(level);
                stages.add(
                        levels.algorithm(level, Collective.REDUCE),
                        Composition.inner(call, Collective.REDUCE, size, level, call.count())
                                .withRoot(grid.coordinate(call.root(), level))
                                .withInPlace(inPlace),
                        grid.group(rank, level),
                        Stages.all(level == 0 ? BufferKind.INPUT : BufferKind.SCRATCH),
                        Stages.all(level == last ? BufferKind.OUTPUT : BufferKind.SCRATCH));
            }
        }
        return stages;
    }
}
