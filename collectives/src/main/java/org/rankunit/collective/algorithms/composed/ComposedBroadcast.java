package org.rankunit.collective.algorithms.composed;

import java.util.List;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** A broadcast among ranks with the root's place, from the outermost level on; then inside the units of the level below. */
final class ComposedBroadcast implements Composition {

    @Override
    public List<Collective> needed(int level, int last) {
        return List.of(Collective.BROADCAST);
    }

    @Override
    public Stages stages(CollectiveCall call, Grid grid, Levels levels, int rank) {
        Stages stages = new Stages(each -> 0);
        for (int level = grid.last(); level >= 0; level--) {
            if (grid.sameBelow(rank, call.root(), level)) {
                boolean first = level == grid.last();
                int size = grid.sizes().get(level);
                stages.add(
                        levels.algorithm(level, Collective.BROADCAST),
                        Composition.inner(call, Collective.BROADCAST, size, level, call.count())
                                .withRoot(grid.coordinate(call.root(), level))
                                .withInPlace(!first || call.inPlace()),
                        grid.group(rank, level),
                        Stages.all(first ? BufferKind.INPUT : BufferKind.OUTPUT),
                        Stages.all(BufferKind.OUTPUT));
            }
        }
        return stages;
    }
}
