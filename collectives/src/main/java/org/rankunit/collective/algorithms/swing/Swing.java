package org.rankunit.collective.algorithms.swing;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Partners;

/**
 * Partners in steps 0, 1, 2 and so on are at distances of 1, -1, 3, -5, 11 and so on from even places, and the other way from odd ones.
 *
 * <p>Source: De Sensi et al., "Swing: Short-cutting Rings for Higher Bandwidth Allreduce", NSDI 2024.
 *
 * @param places a power of two
 * @param parts the part of each place
 */
record Swing(int places, List<Integer> parts) implements Partners {

    static Swing in(Block block) {
        int places = block.size();
        Integer[] parts = new Integer[places];
        int part = 0;
        for (int place : reached(places, 0, 0)) {
            parts[place] = part++;
        }
        return new Swing(places, List.of(parts));
    }

    /** The places that a place and its partners, theirs and so on reach from a step on, in an order in which each step halves them. */
    private static List<Integer> reached(int places, int place, int step) {
        List<Integer> reached = new ArrayList<>();
        if (1 << step == places) {
            reached.add(place);
        } else {
            reached.addAll(reached(places, place, step + 1));
            reached.addAll(reached(places, partner(places, place, step), step + 1));
        }
        return reached;
    }

    private static int partner(int places, int place, int step) {
        // 1 - 2 + 4 - 8 ...
        int distance = (1 - (step % 2 == 0 ? -2 : 2) * (1 << step)) / 3;
        return Math.floorMod(place % 2 == 0 ? place + distance : place - distance, places);
    }

    @Override
    public int of(int place, int step) {
        return partner(places, place, step);
    }

    @Override
    public int part(int place) {
        return parts.get(place);
    }
}
