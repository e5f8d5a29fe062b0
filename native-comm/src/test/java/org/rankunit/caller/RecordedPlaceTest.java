package org.rankunit.caller;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;

/**
 * Each place is told several times: native code knows it from the second time on. The message about memory that is freed tells the
 * place that did.
 */
@Tag("unit")
class RecordedPlaceTest {

    private static final int TIMES = 3;

    private final Device device = Device.open("a2a3sim", 3);

    @BeforeEach
    void record(@TempDir Path folder) {
        device.record(folder.resolve("log"), folder.resolve("order"), 10_000);
    }

    @AfterEach
    void close() {
        device.close();
    }

    private static int line() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
    }

    /** Where memory was freed that is freed so. */
    private String placeOf(LongConsumer free) {
        long memory = device.allocate(64);
        free.accept(memory);
        String[] place = new String[1];
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> device.zero(memory, 1))
                .satisfies(failure -> place[0] = failure.getMessage().replaceAll("(?s).*, which was freed", ""));
        return place[0];
    }

    @Test
    void linesOfOneMethodAreToldApart() {
        int before = line();
        LongConsumer first = memory -> device.free(memory);
        LongConsumer second = memory -> device.free(memory);
        for (int i = 0; i < TIMES; i++) {
            assertThat(placeOf(first)).contains(" at RecordedPlaceTest.java:" + (before + 1) + ", called at ");
            assertThat(placeOf(second)).contains(" at RecordedPlaceTest.java:" + (before + 2) + ", called at ");
        }
    }

    /** The record is that of the process, so its other devices are in it as well. */
    @Test
    void whatAnotherDeviceOfTheProcessDoesHasItsOwnPlace() {
        device.free(device.allocate(64));
        try (Device other = Device.open("a2a3sim", 2)) {
            long memory = other.allocate(64);
            int before = line();
            other.free(memory);

            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> other.zero(memory, 1))
                    .withMessageContaining("which was freed at RecordedPlaceTest.java:" + (before + 1));
        }
    }

    private void helper(long memory) {
        device.free(memory);
    }

    private void callInTurn(long memory, boolean first) {
        if (first) {
            helper(memory);
            return;
        }
        helper(memory);
    }

    @Test
    void theLinesThatCallAHelperInTurnAreToldApart() {
        List<String> first = IntStream.range(0, TIMES)
                .mapToObj(i -> placeOf(memory -> callInTurn(memory, true)))
                .distinct()
                .toList();
        List<String> second = IntStream.range(0, TIMES)
                .mapToObj(i -> placeOf(memory -> callInTurn(memory, false)))
                .distinct()
                .toList();

        assertThat(first)
                .singleElement()
                .asString()
                .matches(" at (\\S+:\\d+), called at RecordedPlaceTest.java:\\d+.*");
        assertThat(second)
                .singleElement()
                .asString()
                .matches(" at (\\S+:\\d+), called at RecordedPlaceTest.java:\\d+.*");
        assertThat(second).isNotEqualTo(first);
    }

    /** Whose last frame, and the one before it, are the same lines from the depth 1 on. */
    private void deep(long memory, int depth) {
        if (depth > 0) {
            deep(memory, depth - 1);
        } else {
            device.free(memory);
        }
    }

    @Test
    void aRecursionIsKnownByWhatCalledItLast() {
        int before = line();
        LongConsumer flat = memory -> deep(memory, 0);
        for (int i = 0; i < TIMES; i++) {
            assertThat(placeOf(flat)).endsWith(", called at RecordedPlaceTest.java:" + (before + 1));
            assertThat(placeOf(memory -> deep(memory, 1))).isEqualTo(placeOf(memory -> deep(memory, 200)));
            assertThat(placeOf(memory -> deep(memory, 1))).isNotEqualTo(placeOf(flat));
        }
    }

    @Test
    void framesOfJavaAndHiddenOnesBetweenAreSkipped() {
        int before = line();
        LongConsumer throughJava = memory -> List.of(memory).forEach(device::free);
        for (int i = 0; i < TIMES; i++) {
            assertThat(placeOf(throughJava)).contains(" at RecordedPlaceTest.java:" + (before + 1) + ", called at ");
        }
    }

    @Test
    void noneIsToldIfOnlyTheTestFrameworkHasCalled() throws Exception {
        MethodHandle free = MethodHandles.lookup()
                .findVirtual(Device.class, "free", MethodType.methodType(void.class, long.class))
                .bindTo(device);
        LongConsumer byJunit = memory -> Assertions.assertDoesNotThrow(MethodHandleProxies.asInterfaceInstance(
                Executable.class, MethodHandles.insertArguments(free, 0, memory)));
        for (int i = 0; i < TIMES; i++) {
            assertThat(placeOf(byJunit)).isEmpty();
            assertThat(placeOf(this::helper)).contains(" at RecordedPlaceTest.java:");
        }
    }

    /** Frees, as the class of the same name in another class loader does. */
    public static final class Freeing implements LongConsumer {

        private final Device device;

        public Freeing(Device device) {
            this.device = device;
        }

        @Override
        public void accept(long memory) {
            device.free(memory);
        }
    }

    /** Loads {@link Freeing} anew, as that of another file, whose name is as long. */
    private static final class Another extends ClassLoader {

        Another() {
            super(RecordedPlaceTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Freeing.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = new String(code.readAllBytes(), ISO_8859_1)
                        .replace("RecordedPlaceTest.java", "ReloadedPlaceTest.java")
                        .getBytes(ISO_8859_1);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void aClassOfAnotherLoaderHasItsOwnPlaces() throws Exception {
        assertThat(placeOf(new Freeing(device))).contains(" at RecordedPlaceTest.java:");
        for (int i = 0; i < TIMES; i++) {
            LongConsumer other = (LongConsumer) new Another()
                    .loadClass(Freeing.class.getName())
                    .getConstructor(Device.class)
                    .newInstance(device);
            assertThat(placeOf(other)).contains(" at ReloadedPlaceTest.java:");
            assertThat(placeOf(new Freeing(device))).contains(" at RecordedPlaceTest.java:");
        }
    }
}
