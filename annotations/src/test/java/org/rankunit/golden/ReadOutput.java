package org.rankunit.golden;

import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.RankBuffer;
import org.rankunit.Values;

/** An output of a test with these values in it. */
final class ReadOutput implements RankBuffer {

    private final Values read;
    private final int[] shape;

    ReadOutput(Values read, int... shape) {
        this.read = read;
        this.shape = shape;
    }

    static ReadOutput of(Values values) {
        return new ReadOutput(values, values.count());
    }

    @Override
    public Values read() {
        return read;
    }

    @Override
    public int[] shape() {
        return shape.clone();
    }

    @Override
    public Buffer.Role role() {
        return Buffer.Role.OUTPUT;
    }

    @Override
    public String name() {
        return "output";
    }

    @Override
    public DType type() {
        return read.type();
    }

    @Override
    public int count() {
        return read.count();
    }

    @Override
    public Placement placement() {
        return Placement.DEVICE;
    }

    @Override
    public long address() {
        return 0;
    }

    @Override
    public void verify(Values expected) {
        Golden.of(name(), expected).verify(this);
    }

    @Override
    public void write(Values values) {
        throw new UnsupportedOperationException("it is only read");
    }
}
