package org.rankunit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.device.running.LateKernel;
import org.rankunit.device.running.RunningKernel;
import org.rankunit.device.running.RunningKernels;

@Tag("unit")
class DeviceTest {

    private final Device device = Device.open("a2a3sim", 3);

    @AfterEach
    void close() {
        device.close();
    }

    /** Built from {@code src/test/cpp/kernels.cpp}. */
    private static Path kernels() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(DeviceTest.class.getResource("/libtest_kernels.so"))
                .toURI());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 256 << 10, (256 << 10) + 1, 3_000_000})
    void memoryKeepsWhatIsCopiedIn(int length) {
        byte[] source = new byte[length + 7];
        new Random(length).nextBytes(source);
        byte[] target = new byte[length + 3];
        long address = device.allocate(length);

        device.copyIn(address, source, 7, length);
        device.copyOut(address, target, 3, length);

        assertThat(ByteBuffer.wrap(target, 3, length)).isEqualTo(ByteBuffer.wrap(source, 7, length));
        assertThat(target).startsWith(0, 0, 0);
        device.free(address);
    }

    @Test
    void whatADeviceDoesIsRecordedOnceItIsAskedTo(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("log");
        device.record(log, folder.resolve("order"), 100);
        device.markTestBegin("the name of a test", false);
        device.free(device.allocate(8));
        device.markTestEnd("the name of a test");

        assertThat(Files.size(log)).isEqualTo(4096 + 100 * 64);
        assertThat(new String(Files.readAllBytes(log), StandardCharsets.UTF_8)).contains("the name of a test");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.record(folder.resolve("another"), folder.resolve("order"), 100))
                .withMessageContaining("records already");
    }

    @Test
    void aTestThatDoesNothingOnItsDeviceLeavesNothingInTheRecord(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("log");
        device.record(log, folder.resolve("order"), 100);
        byte[] before = Files.readAllBytes(log);
        device.markTestBegin("an idle test", true);
        device.markTestEnd("an idle test");
        assertThat(Files.readAllBytes(log)).isEqualTo(before);

        device.markTestBegin("a busy test", true);
        device.free(device.allocate(8));
        device.markTestEnd("a busy test");
        assertThat(new String(Files.readAllBytes(log), StandardCharsets.UTF_8))
                .contains("a busy test")
                .doesNotContain("an idle test");
    }

    @Test
    void aDeviceThatIsShakenTellsWhatWasDecided(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("decisions");
        long address = device.allocate(8);
        List<DeviceShaking> results = new CopyOnWriteArrayList<>();
        for (long seed : new long[] {64, 64, 65}) {
            DeviceShaking.begin(device, DeviceShaking.RANDOM, seed);
            device.zero(address, 4);
            device.zero(address, 8);
            results.add(DeviceShaking.end(device, file));
        }

        assertThat(results).extracting(DeviceShaking::decisions).containsOnly(2L);
        assertThat(results.get(1)).isEqualTo(results.get(0)).isNotEqualTo(results.get(2));
        assertThat(Files.readAllLines(file)).hasSize(2).allMatch(line -> line.matches("host, call [12]: .+"));
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> DeviceShaking.end(device, file))
                .withMessageContaining("nothing is shaken");
    }

    @Test
    void zeroClearsWhatItIsTold() {
        byte[] bytes = {1, 2, 3, 4};
        long address = device.allocate(4);
        device.copyIn(address, bytes, 0, 4);

        device.zero(address + 1, 2);
        device.copyOut(address, bytes, 0, 4);

        assertThat(bytes).containsExactly(1, 0, 0, 4);
    }

    @Test
    void copiesOutsideOfMemoryAreErrors() {
        long address = device.allocate(100);

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.copyOut(address, new byte[101], 0, 101))
                .withMessageMatching("device 3 \\(a2a3sim\\), copy out: 101 bytes at 0x[0-9a-f]+ end outside of the 100"
                        + " bytes that start at 0x[0-9a-f]+");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.zero(0, 1))
                .withMessageContaining("address 0x0 is in no device memory and no window");
        assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.free(address + 1));
    }

    @Test
    void copiesOutsideOfTheArrayAreErrors() {
        long address = device.allocate(100);

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> device.copyIn(address, new byte[10], 5, 6));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> device.copyOut(address, new byte[10], -1, 6));
    }

    @Test
    void sizesThatCannotBeHadAreErrors() {
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.allocate(Long.MAX_VALUE))
                .withMessageContaining("there is no device memory for 9223372036854775807 bytes");
        assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.allocate(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.allocate(-1))
                .withMessage("bytes = -1 is negative");
    }

    @Test
    void aKernelWorksOnDeviceMemory() throws Exception {
        ByteBuffer data = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        data.putFloat(1.5f).putFloat(-4f);
        long address = device.allocate(8);
        device.copyIn(address, data.array(), 0, 8);
        Kernel kernel = device.loadKernel(kernels(), "add_one");

        kernel.launch(address, 2);
        device.synchronize();
        device.copyOut(address, data.array(), 0, 8);

        assertThat(kernel.name()).isEqualTo("add_one");
        assertThat(data.getFloat(0)).isEqualTo(2.5f);
        assertThat(data.getFloat(4)).isEqualTo(-3f);
    }

    @Test
    @Timeout(60)
    void aKernelThatRunsForTooLongIsToldOnceWhileItRuns() throws Exception {
        BlockingQueue<String> late = new LinkedBlockingQueue<>();
        device.watchKernels(Duration.ofMillis(1), late::add);
        long word = device.allocate(8);
        for (int round = 0; round < 3; round++) {
            device.zero(word, 8);
            Kernel kernel = device.loadKernel(kernels(), "wait_for_word");
            CompletableFuture<Void> running = CompletableFuture.runAsync(() -> kernel.launch(word));

            assertThat(late.take()).isEqualTo("wait_for_word");
            assertThat(running).isNotDone();
            device.copyIn(word, new byte[] {1, 0, 0, 0, 0, 0, 0, 0}, 0, 8);
            running.get();
        }
        assertThat(late).isEmpty();
    }

    @Test
    @Timeout(60)
    void aKernelOnAStreamIsNotedWhileItRunsAndToldWithItsCode(@TempDir Path folder) throws Exception {
        BlockingQueue<LateKernel> late = new LinkedBlockingQueue<>();
        Path file = folder.resolve("running");
        RunningKernels running =
                device.watchKernels(file, Duration.ofMillis(1), late::add).orElseThrow();
        long word = device.allocate(8);
        device.zero(word, 8);
        try (Stream stream = device.createStream()) {
            stream.launch(device.loadKernel(kernels(), "wait_for_word"), word);

            LateKernel told = late.take();
            assertThat(told.name()).isEqualTo("wait_for_word");
            assertThat(told.where()).matches("stream \\d+, work 1");
            assertThat(told.code()).first().asString().matches("/.*\\.so\\+0x[0-9a-f]+");
            assertThat(RunningKernels.read(file).orElseThrow().kernels())
                    .extracting(RunningKernel::name)
                    .contains("wait_for_word");
            device.copyIn(word, new byte[] {1, 0, 0, 0, 0, 0, 0, 0}, 0, 8);
            stream.synchronize();
        }
        assertThat(running.kernels()).isEmpty();
        assertThat(running.endingThread()).isZero();
        assertThat(running.isAskedToEnd()).isFalse();
        assertThat(late).isEmpty();
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.watchKernels(folder.resolve("again"), Duration.ofDays(1), late::add))
                .withMessageContaining("noted in another file");
    }

    @Test
    void aFileOfAnotherKindIsNoNoteOfKernels(@TempDir Path folder) throws Exception {
        assertThat(RunningKernels.read(folder.resolve("none"))).isEmpty();
        Path file = Files.writeString(folder.resolve("other"), "x".repeat(100));
        assertThatIOException()
                .isThrownBy(() -> RunningKernels.read(file))
                .withMessageContaining("not a file of running");
    }

    @Test
    void aKernelThatEndsInTimeIsNotTold() throws Exception {
        List<String> late = new CopyOnWriteArrayList<>();
        device.watchKernels(Duration.ofDays(1), late::add);

        device.loadKernel(kernels(), "count_arguments").launch();

        assertThat(late).isEmpty();
    }

    @Test
    void aKernelThatFailsIsNamedWithItsCode() throws Exception {
        Kernel kernel = device.loadKernel(kernels(), "fail_with_first_argument");

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> kernel.launch(42))
                .withMessage("device 3 (a2a3sim), launch: kernel \"fail_with_first_argument\" returned 42");
        kernel.launch(0);
        device.loadKernel(kernels(), "count_arguments").launch();
    }

    @Test
    void aKernelWithoutAnEnvironmentRunsAsOneBlockOnTheDevicesOwnStream() throws Exception {
        Kernel kernel = device.loadKernel(kernels(), "fail_with_first_argument");

        kernel.launchOn(1, 0, 0);
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> kernel.launchOn(1, 0, 42))
                .withMessageContaining("returned 42");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> kernel.launchOn(1, 8, 0))
                .withMessage("device 3 (a2a3sim), launch: the simulator has no streams of a vendor; use those of"
                        + " rankunit/stream.h");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> kernel.launchOn(2, 0, 0))
                .withMessage(
                        "device 3 (a2a3sim), launch: kernel \"fail_with_first_argument\" takes no KernelEnv, so that"
                                + " it cannot know its block, and runs as one block on one core; declare it with"
                                + " RANKUNIT_BLOCK_KERNEL");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.launchOn(0, 0))
                .withMessage("blocks = 0 is less than 1");
    }

    @Test
    void missingKernelsAreNamed() {
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.loadKernel(kernels(), "add_two"))
                .withMessageContaining("there is no kernel \"add_two\" in ");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.loadKernel(Path.of("/no/such/kernels.so"), "add_one"))
                .withMessageContaining("/no/such/kernels.so");
    }

    @Test
    void anyUseAfterCloseSaysSo() throws Exception {
        Kernel kernel = device.loadKernel(kernels(), "count_arguments");
        device.close();
        device.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> device.allocate(1))
                .withMessage("device 3 (a2a3sim) is closed");
        assertThatIllegalStateException().isThrownBy(() -> kernel.launch());
        assertThat(device.id()).isEqualTo(3);
    }

    @Test
    void aDeviceThatCannotBeOpenedIsNamed() {
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> Device.open("a2a3sim", -1))
                .withMessage("device -1 (a2a3sim), open: id = -1 is negative");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> Device.open("a9", 0))
                .withMessageContaining("known: a2a3, a2a3sim, a5, a5sim");
    }
}
