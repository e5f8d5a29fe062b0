package org.rankunit.collective.algorithms.halving;

import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Partners;

/**
 * Partners in the other half, then in the other quarter and so on: places that differ in one bit, the highest one first.
 *
 * @param places a power of two
 */
record Opposite(int places) implements Partners {

    static Opposite in(Block block) {
        return new Opposite(block.size());
    }

    @Override
    public int of(int place, int step) {
        return place ^ (places >> (step + 1));
    }

    @Override
    public int part(int place) {
        return place;
    }
}
