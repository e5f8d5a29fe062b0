package org.rankunit.engine.rank.buffers;

import java.util.Arrays;
import java.util.Optional;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.RankBuffer;
import org.rankunit.Values;
import org.rankunit.device.Device;
import org.rankunit.engine.protocol.BufferSpec;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.rank.evidence.PhaseClock;
import org.rankunit.golden.Golden;
import org.rankunit.golden.pattern.NeverWritten;

/** A buffer of the running test, in device memory. */
final class LiveBuffer implements RankBuffer {

    /** Elements: a large output takes no memory of its size in the JVM. */
    private static final int MAX_FILLED_AT_ONCE = 1 << 16;

    private final BufferSpec spec;
    private final DType type;
    private final Placement placement;
    private final Buffer.Role role;
    private final long address;
    private final Device device;
    private final PhaseClock phases;
    private volatile boolean expired;

    LiveBuffer(BufferSpec spec, long address, Device device, PhaseClock phases) {
        this.spec = spec;
        this.type = DType.valueOf(spec.type());
        this.placement = Placement.valueOf(spec.placement());
        this.role = Buffer.Role.valueOf(spec.role());
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
    public int[] shape() {
        return spec.shape().isEmpty()
                ? RankBuffer.super.shape()
                : spec.shape().stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public Buffer.Role role() {
        return role;
    }

    @Override
    public long address() {
        return address;
    }

    boolean mustBeVerified() {
        return role == Buffer.Role.OUTPUT && !spec.unverified();
    }

    /** Fill it and its guard for a test. */
    void fill() {
        if (role == Buffer.Role.OUTPUT) {
            byte[] pattern = NeverWritten.fill(type, Math.min(spec.count(), MAX_FILLED_AT_ONCE));
            for (long done = 0; done < spec.bytes(); done += pattern.length) {
                device.copyIn(address + done, pattern, 0, (int) Math.min(pattern.length, spec.bytes() - done));
            }
        } else {
            device.zero(address, spec.bytes());
        }
        byte[] guard = guard();
        device.copyIn(address + spec.bytes(), guard, 0, guard.length);
    }

    /** What was overwritten behind it, if anything was. */
    Optional<String> overrun(int rank) {
        byte[] expected = guard();
        byte[] found = new byte[expected.length];
        device.copyOut(address + spec.bytes(), found, 0, found.length);
        int first = Arrays.mismatch(expected, found);
        if (first < 0) {
            return Optional.empty();
        }
        int last = found.length - 1;
        while (found[last] == expected[last]) {
            last--;
        }
        return Optional.of(
                "overrun: something wrote past the end of buffer '" + spec.name() + "' (" + spec.count() + " x " + type
                        + ") on rank " + rank + ": bytes " + first + " to " + last + " after its end, where element ["
                        + (spec.count() + first / type.byteSize()) + "] would be. Of the bytes after it, "
                        + expected.length + " are checked.");
    }

    private byte[] guard() {
        return NeverWritten.fill(DType.UINT8, spec.guardBytes());
    }

    @Override
    public void write(Values values) {
        requireOpen();
        if (values.type() != type || values.count() != spec.count()) {
            throw new IllegalArgumentException("buffer '" + spec.name() + "' holds " + spec.count() + " x " + type
                    + ", cannot take " + values.count() + " x " + values.type());
        }
        device.copyIn(address, values.memory());
    }

    @Override
    public void verify(Values expected) {
        Golden.of(spec.name(), expected).verify(this);
    }

    @Override
    public Values read() {
        requireOpen();
        return phases.in(Phase.COLLECT_OUTPUTS, this::collected);
    }

    private Values collected() {
        return Values.filled(type, spec.count(), memory -> device.copyOut(address, memory));
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
