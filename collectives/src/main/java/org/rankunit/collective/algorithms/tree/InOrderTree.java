package org.rankunit.collective.algorithms.tree;

import java.util.ArrayList;
import java.util.List;

/**
 * The place of a rank in one of two binary trees, in which the ranks of a subtree are consecutive. Each rank is a leaf of
 * one of them, but for rank 0 if n is odd.
 *
 * <p>Source: NCCL's double binary tree. The second tree is the first one with ranks counted from the last one downwards if n is even, and
 * from the last one on upwards if n is odd.
 *
 * @param parent -1 at the root
 * @param children at most two, of the first tree the lower one first
 */
record InOrderTree(int parent, List<Integer> children) {

    static InOrderTree first(int ranks, int rank) {
        int bit = rank == 0 ? Integer.highestOneBit(Math.max(1, 2 * (ranks - 1))) : Integer.lowestOneBit(rank);
        int parent = -1;
        List<Integer> children = new ArrayList<>();
        if (rank > 0) {
            int above = (rank ^ bit) | (2 * bit);
            parent = above < ranks ? above : rank ^ bit;
            if (bit > 1) {
                children.add(rank - bit / 2);
            }
        }
        int distance = bit / 2;
        while (distance > 0 && rank + distance >= ranks) {
            distance /= 2;
        }
        if (distance > 0) {
            children.add(rank + distance);
        }
        return new InOrderTree(parent, List.copyOf(children));
    }

    static InOrderTree second(int ranks, int rank) {
        InOrderTree tree = first(ranks, inFirst(ranks, rank));
        return new InOrderTree(
                tree.parent < 0 ? -1 : inSecond(ranks, tree.parent),
                tree.children.stream().map(child -> inSecond(ranks, child)).toList());
    }

    List<Integer> neighbours() {
        List<Integer> neighbours = new ArrayList<>(children);
        if (parent >= 0) {
            neighbours.add(parent);
        }
        return neighbours;
    }

    /** The rank whose place in the first tree is that of this rank in the second one. */
    private static int inFirst(int ranks, int rank) {
        return ranks % 2 == 0 ? ranks - 1 - rank : Math.floorMod(rank - 1, ranks);
    }

    private static int inSecond(int ranks, int rank) {
        return ranks % 2 == 0 ? ranks - 1 - rank : (rank + 1) % ranks;
    }
}
