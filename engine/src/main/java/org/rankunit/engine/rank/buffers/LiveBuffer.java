package org.rankunit.engine.rank.buffers;

import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.RankBuffer;
import org.rankunit.Values;
import org.rankunit.device.Device;
import org.rankunit.engine.control.BufferSpec;
import org.rankunit.engine.control.Phase;
import org.rankunit.engine.rank.evidence.PhaseClock;

/** A buffer of the running test, in device memory. */
final class LiveBuffer implements RankBuffer {

    private final BufferSpec spec;
    private final DType type;
    private final Placement placement;
    private final long address;
    private final Device device;
    private final PhaseClock phases;
    private volatile boolean expired;

    LiveBuffer(BufferSpec spec, long address, Device device, PhaseClock phases) {
        this.spec = spec;
        this.type = DType.valueOf(spec.type());
        this.placement = Placement.valueOf(spec.placement());
        this.address = address;
        this.device = device;
        this.phases = phases;
    }

    void expire() {
        expired = true;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public DType type() {
        return type;
    }

    @Override
    public int count() {
        return spec.count();
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public void write(Values values) {
        requireOpen();
        if (values.type() != type || values.count() != spec.count()) {
            throw new IllegalArgumentException("buffer '" + spec.name() + "' holds " + spec.count() + " x " + type
                    + ", cannot take " + values.count() + " x " + values.type());
        }
        byte[] bytes = values.encode();
        device.copyIn(address, bytes, 0, bytes.length);
    }

    @Override
    public Values read() {
        requireOpen();
        return phases.in(Phase.COLLECT_OUTPUTS, this::collected);
    }

    private Values collected() {
        byte[] bytes = new byte[Math.toIntExact(spec.bytes())];
        device.copyOut(address, bytes, 0, bytes.length);
        return Values.decode(type, bytes);
    }

    private void requireOpen() {
        if (expired) {
            throw new IllegalStateException("buffer '" + spec.name()
                    + "' belongs to a test that has ended; ask the RankContext for this test's");
        }
    }

    @Override
    public String toString() {
        return "buffer '" + spec.name() + "': " + spec.count() + " x " + type + " in " + placement + " memory";
    }
}
