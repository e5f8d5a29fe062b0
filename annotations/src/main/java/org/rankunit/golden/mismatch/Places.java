package org.rankunit.golden.mismatch;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.function.IntUnaryOperator;
import org.apiguardian.api.API;

/** Say where in an output the elements are that differ. */
@API(status = INTERNAL, since = "0.1")
public final class Places {

    private final Mismatches mismatches;
    private final int count;
    private final int[] shape;
    private final int worldSize;
    private final IntUnaryOperator indexInOutput;

    /**
     * Describe places in an output of so many elements.
     *
     * @param shape the extents of the output; elements of more than one get an index in each of them
     * @param worldSize number of ranks, or 0 if it is unknown
     * @param indexInOutput the index in the output of a compared element
     */
    public Places(Mismatches mismatches, int count, int[] shape, int worldSize, IntUnaryOperator indexInOutput) {
        this.mismatches = mismatches;
        this.count = count;
        this.shape = shape;
        this.worldSize = worldSize;
        this.indexInOutput = indexInOutput;
    }

    /** Where all of them are, to be appended to their number. */
    @Override
    public String toString() {
        int first = mismatches.first();
        int last = mismatches.last();
        if (mismatches.count() == count) {
            return "";
        }
        if (mismatches.count() == 1) {
            return ", at " + of(first);
        }
        if (!isWhole(first, last)) {
            return ", from " + index(first) + " to " + index(last);
        }
        if (mismatches.runs() == 1) {
            return ", all in " + range(first, last) + ": one contiguous run" + rows() + part();
        }
        String tile = tile();
        if (!tile.isEmpty()) {
            return ", all in " + tile;
        }
        if (mismatches.period() > 0) {
            String many = mismatches.runLength() == 1 ? "one" : Integer.toString(mismatches.runLength());
            return ", " + many + " in every " + mismatches.period() + " from [" + first + "] to [" + last + "]";
        }
        return ", in " + mismatches.runs() + " runs from [" + first + "] to [" + last + "]";
    }

    /** Whether indices are those of the output. */
    private boolean isWhole(int first, int last) {
        return indexInOutput.applyAsInt(first) == first && indexInOutput.applyAsInt(last) == last;
    }

    /** The index in the output of a compared element: {@code "[11]"}. */
    public String index(int compared) {
        return "[" + indexInOutput.applyAsInt(compared) + "]";
    }

    /** The whole rows of a matrix that the run is. */
    private String rows() {
        boolean isWhole =
                shape.length == 2 && mismatches.first() % shape[1] == 0 && (mismatches.last() + 1) % shape[1] == 0;
        return isWhole ? ", rows " + range(mismatches.first() / shape[1], mismatches.last() / shape[1]) : "";
    }

    /** The tile of a matrix of which all elements differ, and no other ones; an empty string if there is none. */
    private String tile() {
        if (shape.length != 2 || !mismatches.areATile(shape[1])) {
            return "";
        }
        int firstRow = mismatches.first() / shape[1];
        int lastRow = mismatches.last() / shape[1];
        String ofRows = "rows " + range(firstRow, lastRow);
        String ofColumns = "columns " + range(mismatches.first() % shape[1], mismatches.last() % shape[1]);
        return lastRow - firstRow + 1 == shape[0] ? ofColumns : ofRows + " x " + ofColumns;
    }

    private static String range(int first, int last) {
        return "[" + first + ", " + (last + 1) + ")";
    }

    /** If the run is one of as many equal parts as there are ranks, each rank may have contributed one. */
    private String part() {
        int length = mismatches.last() + 1 - mismatches.first();
        boolean isPart = worldSize > 1
                && count % worldSize == 0
                && length == count / worldSize
                && mismatches.first() % length == 0;
        return isPart ? ", where the part of rank " + mismatches.first() / length + " would be" : "";
    }

    /** {@code "[11]"}, and with a shape {@code "[11] = [1, 3]"}. */
    public String of(int compared) {
        int index = indexInOutput.applyAsInt(compared);
        StringBuilder indices = new StringBuilder();
        int rest = index;
        for (int i = shape.length - 1; i >= 0; i--) {
            indices.insert(0, rest % shape[i] + (i == shape.length - 1 ? "]" : ", "));
            rest /= shape[i];
        }
        return "[" + index + "]" + (shape.length > 1 ? " = [" + indices : "");
    }
}
