package org.rankunit.golden.expect;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;

/** The elements of an output that are compared. */
@API(status = INTERNAL, since = "0.1")
public sealed interface Selection {

    /**
     * Select from what an output holds.
     *
     * @throws IllegalArgumentException if the output has not all of these elements; the message says so
     */
    Values of(Values output);

    /** Select from what is expected, where that is given for the whole output. */
    Values expected(Expectation expectation, DType type, int[] shape);

    /** The index in the output of a selected element. */
    int indexInOutput(int index);

    /** What is selected, for a message; empty for everything. */
    String text();

    /** Everything. */
    record All() implements Selection {

        @Override
        public Values of(Values output) {
            return output;
        }

        @Override
        public Values expected(Expectation expectation, DType type, int[] shape) {
            return expectation.of(type, shape);
        }

        @Override
        public int indexInOutput(int index) {
            return index;
        }

        @Override
        public String text() {
            return "";
        }
    }

    /** The elements in [from, to). */
    record Slice(int from, int to) implements Selection {

        @Override
        public Values of(Values output) {
            if (to > output.count()) {
                throw new IllegalArgumentException("The slice " + text() + " is not inside the output, which has "
                        + output.count() + " elements.");
            }
            int size = output.type().byteSize();
            return Values.decode(output.type(), output.memory().slice(from * size, (to - from) * size));
        }

        @Override
        public Values expected(Expectation expectation, DType type, int[] shape) {
            return expectation.of(type, new int[] {to - from});
        }

        @Override
        public int indexInOutput(int index) {
            return from + index;
        }

        @Override
        public String text() {
            return "[" + from + ", " + to + ")";
        }
    }

    /** The elements that a mask has. */
    final class Mask implements Selection {

        private final int[] indices;
        private final int count;

        /** Select the elements for which the mask holds. */
        public Mask(boolean... mask) {
            BitSet selected = new BitSet(mask.length);
            for (int i = 0; i < mask.length; i++) {
                selected.set(i, mask[i]);
            }
            this.indices = selected.stream().toArray();
            this.count = mask.length;
        }

        @Override
        public Values of(Values output) {
            return of(output, "output");
        }

        private Values of(Values whole, String what) {
            if (count != whole.count()) {
                throw new IllegalArgumentException(
                        "The mask has " + count + " elements, and the " + what + " " + whole.count() + ".");
            }
            int size = whole.type().byteSize();
            byte[] element = new byte[size];
            ByteBuffer selected = ByteBuffer.allocate(indices.length * size);
            for (int index : indices) {
                whole.memory().get(index * size, element);
                selected.put(element);
            }
            return Values.decode(whole.type(), selected.array());
        }

        @Override
        public Values expected(Expectation expectation, DType type, int[] shape) {
            Values whole = expectation.of(type, shape);
            return whole.type() == type ? of(whole, "golden") : whole;
        }

        @Override
        public int indexInOutput(int index) {
            return indices[index];
        }

        @Override
        public String text() {
            return "a mask of " + indices.length + " elements";
        }
    }
}
