package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.SignalOperation;

/** Not a sample: checks that each emulated execution of this module's pom runs on what it is named after, and streams there. */
@Tag("downstream")
@DeviceCount(1)
class EmulatedDevicesTest {

    @Test
    void theTestsRunOnThePlatformThatTheExecutionIsNamedAfter(RankContext rank) {
        assertThat(rank.platform()).isEqualTo(System.getenv("RANKUNIT_EMULATED_PLATFORM"));
    }

    @Test
    void theVendorsLibrariesAreOfTheVersionThatTheExecutionIsNamedAfter() throws IOException {
        Path folder = Path.of(System.getenv("LD_LIBRARY_PATH")).toRealPath();
        try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
            assertThat(mapped.filter(line -> line.contains("libascendcl")))
                    .allMatch(line -> line.contains(folder + "/"))
                    .isNotEmpty();
        }
    }

    @Test
    void streamsRunInOrderAndWaitForEachOther(RankContext rank) {
        Device device = rank.device();
        long address = device.allocate(2 * Long.BYTES);
        ByteBuffer source = ByteBuffer.allocateDirect(Long.BYTES).putLong(0, 42);
        ByteBuffer target = ByteBuffer.allocateDirect(Long.BYTES);
        try (var first = device.createStream();
                var second = device.createStream();
                var event = device.createEvent()) {
            first.copyIn(address, source);
            first.copy(address + Long.BYTES, address, Long.BYTES);
            first.record(event);
            second.waitFor(event);
            second.copyOut(target, address + Long.BYTES);
            second.synchronize();
            assertThat(target.getLong(0)).isEqualTo(42);
            first.synchronize();
        }
        device.free(address);
    }

    @Test
    void onlyKernelsSignalCells(RankContext rank) {
        Device device = rank.device();
        long cell = device.allocate(Integer.BYTES);
        try (var stream = device.createStream()) {
            assertThatThrownBy(() -> stream.signal(cell, SignalOperation.SET, 1))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("on this platform kernels signal and wait");
        }
        device.free(cell);
    }
}
