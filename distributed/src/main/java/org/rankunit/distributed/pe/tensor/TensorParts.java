package org.rankunit.distributed.pe.tensor;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.distributed.pe.machine.WorldPlacement;

/**
 * How the columns of a tensor are divided. A part has all rows of its columns, row by row.
 *
 * @param rows of the tensor
 * @param columns of the tensor
 */
@API(status = INTERNAL, since = "0.1")
public record TensorParts(WorldPlacement placement, DType type, int rows, int columns) {

    public TensorParts {
        if (rows < 0 || columns < 0) {
            throw new IllegalArgumentException("a tensor has no " + rows + " x " + columns + " elements");
        }
        if (columns % placement.parts() != 0) {
            throw new IllegalArgumentException(
                    columns + " columns cannot be divided into " + placement.parts() + " parts of the same size");
        }
        Math.multiplyExact(rows, columns);
    }

    public int count() {
        return rows * columns;
    }

    /** Columns of a part. */
    public int width() {
        return columns / placement.parts();
    }

    /** Elements of a part. */
    public int partCount() {
        return rows * width();
    }

    /** Take the part of a rank out of the whole tensor. */
    public Values partOf(Values whole, int rank) {
        if (whole.type() != type || whole.count() != count()) {
            throw new IllegalArgumentException("the tensor has " + count() + " elements of " + type + ", the array "
                    + whole.count() + " of " + whole.type());
        }
        byte[] all = whole.encode();
        byte[] part = new byte[partCount() * type.byteSize()];
        copyRows(all, part, rank, true);
        return Values.decode(type, part);
    }

    /** Put the part of a rank into the bytes of the whole tensor. */
    public void putPart(Values part, int rank, byte[] whole) {
        copyRows(whole, part.encode(), rank, false);
    }

    private void copyRows(byte[] whole, byte[] part, int rank, boolean toPart) {
        int bytes = width() * type.byteSize();
        int first = placement.part(rank) * bytes;
        for (int row = 0; row < rows; row++) {
            int inWhole = (row * columns * type.byteSize()) + first;
            int inPart = row * bytes;
            System.arraycopy(
                    toPart ? whole : part,
                    toPart ? inWhole : inPart,
                    toPart ? part : whole,
                    toPart ? inPart : inWhole,
                    bytes);
        }
    }
}
