package org.rankunit.collective.algorithms.tree;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Span;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * The slices of the ranks below a rank in the binomial tree: counted from the root, one after the other in its scratch memory. The root has
 * them in a buffer of its own, in the order of the ranks.
 *
 * @param atRoot the buffer of the root
 */
record Subtree(Orchestration self, BufferKind atRoot) {

    /** A piece of what two ranks exchange: the same slices at the parent and at the child. */
    record Piece(Region parent, Region child) {}

    static Resources resources(CollectiveCall call, int rank) {
        BinomialTree tree = BinomialTree.of(call, call.root(), rank);
        int below = BinomialTree.size(call, call.root(), rank) - 1;
        return tree.resources().withScratch(tree.parent() < 0 ? 0 : bytes(call, rank + 1, below));
    }

    /** Bytes of consecutive ranks, modulo n. */
    private static long bytes(CollectiveCall call, int first, int count) {
        return Span.of(call::partOf, call.ranks(), first, count).stream()
                .mapToLong(Slice::bytes)
                .sum();
    }

    /** Where the slice of a child lies at its parent, and those of the ranks below the child there and at the child. */
    List<Piece> pieces(int parent, int child, Region ofChild) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        int below = BinomialTree.size(call, call.root(), child) - 1;
        List<Piece> pieces = new ArrayList<>();
        Region scratch = self.buffer(BufferKind.SCRATCH, child);
        if (parent == call.root()) {
            Region all = self.buffer(atRoot, parent);
            pieces.add(new Piece(all.part(call.partOf(child)), ofChild));
            long from = 0;
            for (Slice slice : Span.of(call::partOf, n, child + 1, below)) {
                pieces.add(new Piece(all.part(slice), scratch.part(from, slice.bytes())));
                from += slice.bytes();
            }
        } else {
            Region all = self.buffer(BufferKind.SCRATCH, parent);
            long from = bytes(call, parent + 1, Math.floorMod(child - parent, n) - 1);
            pieces.add(new Piece(all.part(from, ofChild.bytes()), ofChild));
            pieces.add(new Piece(all.part(from + ofChild.bytes(), scratch.bytes()), scratch));
        }
        return pieces;
    }
}
