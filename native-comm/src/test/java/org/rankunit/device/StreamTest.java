package org.rankunit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
@Timeout(60)
class StreamTest {

    private final Device device = Device.open("a2a3sim", 0);

    private Stream stream;

    private long cell;

    @BeforeEach
    void makeStreamAndCell() {
        stream = device.createStream();
        cell = device.allocate(4);
        device.zero(cell, 4);
    }

    @AfterEach
    void close() {
        device.close();
    }

    private Kernel kernel(String name) throws URISyntaxException {
        return device.loadKernel(
                Path.of(Objects.requireNonNull(StreamTest.class.getResource("/libtest_kernels.so"))
                        .toURI()),
                name);
    }

    private static ByteBuffer direct(float... values) {
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(values.length * Float.BYTES).order(ByteOrder.nativeOrder());
        buffer.asFloatBuffer().put(values);
        return buffer;
    }

    private int valueOfCell() {
        byte[] bytes = new byte[4];
        device.copyOut(cell, bytes, 0, 4);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
    }

    @Test
    void workOnAStreamRunsInOrder() throws URISyntaxException {
        long data = device.allocate(12);
        ByteBuffer result = direct(0, 0, 0);

        stream.copyIn(data, direct(1, 2, 3));
        stream.launch(kernel("add_one"), data, 3);
        stream.copyOut(result, data);
        stream.zero(data, 12);
        stream.synchronize();

        assertThat(result.asFloatBuffer()).isEqualTo(direct(2, 3, 4).asFloatBuffer());
        assertThat(stream.isDone()).isTrue();
        stream.close();
    }

    @Test
    void copiesTakeTheRestOfABuffer() {
        long data = device.allocate(8);
        ByteBuffer result = direct(9, 9, 9);

        stream.copyIn(data, direct(1, 2, 3).position(4));
        stream.copyOut(result.position(4), data);
        stream.synchronize();

        assertThat(result.rewind().asFloatBuffer()).isEqualTo(direct(9, 2, 3).asFloatBuffer());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stream.copyIn(data, ByteBuffer.allocate(4)))
                .withMessageContaining("not a direct buffer");
    }

    @ParameterizedTest
    @EnumSource
    void blocksRunOnTheCoresThatAreNamed(Cores cores) throws URISyntaxException {
        long cells = device.allocate(4 * 12);
        device.zero(cells, 4 * 12);

        stream.launch(kernel(cores == Cores.MIXED ? "meet_in_mixed_block" : "meet_all_blocks"), 4, cores, cells);

        stream.synchronize();
    }

    @Test
    void aStreamWaitsForSignalsEventsAndNotifiesOfAnother() {
        Stream other = device.createStream();
        Event event = device.createEvent();
        Notify notify = device.createNotify();

        stream.waitUntil(cell, Comparison.GE, 3);
        stream.record(event);
        stream.post(notify);
        other.waitFor(event);
        other.waitFor(notify);
        other.signal(cell, SignalOperation.SET, 7);
        assertThat(event.isDone()).isFalse();
        assertThat(stream.describe()).contains("work 1 of 3 is a wait for the cell at 0x", ">= 3");

        Stream signaller = device.createStream();
        for (int i = 0; i < 3; i++) {
            signaller.signal(cell, SignalOperation.ADD, 1);
        }
        other.synchronize();

        event.synchronize();
        assertThat(event.isDone()).isTrue();
        assertThat(valueOfCell()).isEqualTo(7);
        event.close();
        notify.close();
    }

    @Test
    void aNotifyIsPostedByTheDeviceThatImportsIt() {
        Notify own = device.createNotify();
        try (Device peer = Device.open("a2a3sim", 1)) {
            Stream ofPeer = peer.createStream();
            ofPeer.post(peer.importNotify(own.exportKey()));

            stream.waitFor(own);
            stream.synchronize();

            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> peer.importNotify("a key of mine"))
                    .withMessageContaining("key = \"a key of mine\" is not the key of a notify");
        }
    }

    @Test
    void aFailureNamesItsPieceOfWorkAndEndsItsStreamAlone() throws URISyntaxException {
        stream.launch(kernel("fail_with_first_argument"), 42);

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(stream::synchronize)
                .withMessageContaining(
                        "device 0 (a2a3sim), stream 1, synchronize: stream 1, work 1 (the launch of kernel"
                                + " \"fail_with_first_argument\"): kernel \"fail_with_first_argument\" returned 42");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> stream.zero(cell, 4))
                .withMessageContaining("returned 42");
        stream.close();
        device.createStream().zero(cell, 4);
    }

    @Test
    void waitsEndAfterTheDevicesTimeOut() {
        device.setWaitTimeout(Duration.ofMillis(50));
        stream.waitUntil(cell, Comparison.EQ, 1);

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> stream.synchronize(Duration.ofSeconds(30)))
                .withMessageContaining("the cell at 0x")
                .withMessageContaining(" is 0");
    }

    @Test
    void theHostsWaitEndsAfterItsOwnTimeOutAndTheStreamGoesOn() {
        stream.waitUntil(cell, Comparison.EQ, 1);

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> stream.synchronize(Duration.ofMillis(50)))
                .withMessageContaining("stream 1 was not done after 50 ms: work 1 of 1 is a wait for the cell at 0x");
        device.createStream().signal(cell, SignalOperation.SET, 1);
        stream.synchronize();
    }

    @Test
    void anAbortEndsWaits() {
        stream.waitUntil(cell, Comparison.EQ, 1);

        device.abort("rank 3 failed");

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(stream::synchronize)
                .withMessageEndingWith("aborted: rank 3 failed");
    }

    @Test
    void closingTheDeviceEndsTheHostsWaits() {
        stream.waitUntil(cell, Comparison.EQ, 1);
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(stream::synchronize);

        device.close();

        assertThat(waiter).failsWithin(Duration.ofSeconds(30));
        assertThatIllegalStateException().isThrownBy(stream::isDone).withMessage("device 0 (a2a3sim) is closed");
    }

    @Test
    void aKernelRunsOnlyOnStreamsOfItsDevice() throws URISyntaxException {
        Kernel kernel = kernel("add_one");
        try (Device other = Device.open("a5sim", 1)) {
            Stream ofOther = other.createStream();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ofOther.launch(kernel, cell, 1))
                    .withMessage("Kernel[add_one on device 0 (a2a3sim)] cannot run on device 1 (a5sim): load it there");
        }
    }

    @Test
    void aStreamWithWorkIsNotClosed() {
        stream.waitUntil(cell, Comparison.EQ, 1);

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(stream::close)
                .withMessageContaining("synchronize the stream before it is destroyed");
    }
}
