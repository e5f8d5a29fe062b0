package org.rankunit.collective.algorithms.levels;

import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Scratch memory of a rank in a {@link TwoLevelAllToAll}: blocks that travel together lie together.
 *
 * @param levels where the rank is that has the memory
 */
record StagingLayout(Orchestration self, Levels levels) {

    static long blockBytes(CollectiveCall call) {
        return call.count() * call.elementBytes();
    }

    /** Blocks that fit in. */
    static long slots(Levels levels) {
        return 2L * inside(levels) + (long) (levels.servers() - 1) * levels.places();
    }

    private static long inside(Levels levels) {
        return (long) (levels.places() - 1) * levels.servers();
    }

    /** What goes to another rank of the server: a block for each server. */
    Region toPlace(int place) {
        return part(placeSlot(place), levels.servers());
    }

    /** What came from another rank of the server: a block for each server. */
    Region fromPlace(int place) {
        return part(inside(levels) + placeSlot(place), levels.servers());
    }

    /** What goes to another server: a block from each place. */
    Region toServer(int server) {
        int slot = server < levels.server() ? server : server - 1;
        return part(2 * inside(levels) + (long) slot * levels.places(), levels.places());
    }

    private long placeSlot(int place) {
        int slot = place < levels.place() ? place : place - 1;
        return (long) slot * levels.servers();
    }

    private Region part(long firstSlot, int count) {
        long block = blockBytes(self.call());
        int rank = levels.rank(levels.place(), levels.server());
        return self.buffer(BufferKind.SCRATCH, rank).part(firstSlot * block, count * block);
    }
}
