package org.rankunit.engine.rank.buffers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.Buffer;
import org.rankunit.Placement;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Device;
import org.rankunit.engine.protocol.BufferSpec;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.rank.evidence.PhaseClock;

/** The memory of the running test's buffers. It is kept from test to test while the layout stays the same. */
final class TestBuffers {

    private final Device device;
    private final Supplier<Communicator> communicator;
    private final PhaseClock phases;
    private @Nullable List<BufferSpec> layout;
    private List<LiveBuffer> buffers = List.of();
    private int syncPrefix;

    /** @param communicator asked only for buffers in the window */
    TestBuffers(Device device, Supplier<Communicator> communicator, PhaseClock phases) {
        this.device = device;
        this.communicator = communicator;
        this.phases = phases;
    }

    /** Make the buffers of a test, filled as their roles say. The buffers of the previous test expire. */
    List<LiveBuffer> open(TestSelection test) {
        List<LiveBuffer> previous = buffers;
        previous.forEach(LiveBuffer::expire);
        if (!test.buffers().equals(layout)) {
            release();
            layout = test.buffers();
            previous = null;
        }
        List<LiveBuffer> fresh = new ArrayList<>();
        for (int i = 0; i < test.buffers().size(); i++) {
            BufferSpec spec = test.buffers().get(i);
            long address = previous == null ? addressFor(spec) : previous.get(i).address();
            LiveBuffer buffer = new LiveBuffer(spec, address, device, phases);
            fresh.add(buffer);
            buffers = fresh;
            buffer.fill();
        }
        syncPrefix = test.declaration().syncPrefix();
        clearSyncPrefix();
        buffers = fresh;
        return fresh;
    }

    private long addressFor(BufferSpec spec) {
        if (Placement.valueOf(spec.placement()) == Placement.DEVICE) {
            return device.allocate(spec.guardedBytes());
        }
        Communicator windows = communicator.get();
        if (spec.offset() + spec.guardedBytes() > windows.windowSize()) {
            throw new IllegalStateException("buffer '" + spec.name() + "' ends at byte "
                    + (spec.offset() + spec.guardedBytes()) + " of a window of " + windows.windowSize());
        }
        return windows.windowBase() + spec.offset();
    }

    /** Fill the buffers of the running test as before it. */
    void reset() {
        buffers.forEach(LiveBuffer::fill);
        clearSyncPrefix();
    }

    private void clearSyncPrefix() {
        if (syncPrefix > 0) {
            device.zero(communicator.get().windowBase(), syncPrefix);
        }
    }

    /** The buffers that the test may write to as results. */
    List<LiveBuffer> written() {
        return buffers.stream()
                .filter(buffer -> buffer.role() == Buffer.Role.OUTPUT || buffer.role() == Buffer.Role.INOUT)
                .toList();
    }

    List<String> overruns(int rank) {
        return buffers.stream().flatMap(buffer -> buffer.overrun(rank).stream()).toList();
    }

    List<String> outputs() {
        return buffers.stream()
                .filter(LiveBuffer::mustBeVerified)
                .map(LiveBuffer::name)
                .toList();
    }

    void close() {
        buffers.forEach(LiveBuffer::expire);
        release();
    }

    private void release() {
        for (LiveBuffer buffer : buffers) {
            if (buffer.placement() == Placement.DEVICE) {
                device.free(buffer.address());
            }
        }
        buffers = List.of();
        layout = null;
    }
}
