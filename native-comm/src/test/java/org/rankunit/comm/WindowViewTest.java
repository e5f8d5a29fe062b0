package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.comm.ContextReader.CommContext;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;

@Tag("unit")
class WindowViewTest {

    @TempDir
    Path folder;

    private final Device device = Device.open("a2a3sim", 0);
    private Communicator comm;
    private WindowView window;

    @BeforeEach
    void open() {
        comm = Communicator.open(RankScenario.config(0, 1, folder.resolve("root")), device);
        window = comm.window(0);
    }

    @AfterEach
    void close() {
        comm.close();
        device.close();
    }

    @Test
    void javaAndKernelsSeeTheContextAtTheSameOffsets() {
        long words = device.allocate(6 * Long.BYTES);
        device.loadKernel(TestLibraries.kernels(), "tell_layout").launch(words);
        byte[] told = new byte[6 * Long.BYTES];
        device.copyOut(words, told, 0, told.length);
        long[] layout = new long[6];
        ByteBuffer.wrap(told).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(layout);

        assertThat(layout)
                .containsExactly(
                        CommContext.BYTES,
                        CommContext.RANK_ID,
                        CommContext.RANK_NUM,
                        CommContext.WIN_SIZE,
                        CommContext.WINDOWS_IN,
                        544);
    }

    @Test
    void numbersAreKeptInLittleEndian() {
        window.putInt(0, 0x01020304);
        window.putLong(8, -2);
        window.putFloat(16, 1.5f);
        window.putDouble(24, -0.0);

        byte[] first = new byte[4];
        window.get(0, first);
        assertThat(first).containsExactly(4, 3, 2, 1);
        assertThat(window.getInt(0)).isEqualTo(0x01020304);
        assertThat(window.getLong(8)).isEqualTo(-2);
        assertThat(window.getFloat(16)).isEqualTo(1.5f);
        assertThat(window.getDouble(24)).isEqualTo(-0.0);
        window.zero();
        assertThat(window.getLong(8)).isZero();
    }

    @Test
    void aPartIsItsOwnBufferOverTheSameBytes() {
        WindowView part = window.slice(128, 16);
        part.put(0, new byte[16]);
        part.putInt(4, 7);

        assertThat(part.size()).isEqualTo(16);
        assertThat(part.address()).isEqualTo(window.address() + 128);
        assertThat(window.getInt(132)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "4096, 1", "4095, 2", "0, 4097", "9223372036854775807, 1", "0, -1", "5000, 0"})
    void aPartThatIsNotInsideIsRefusedWithBothValues(long offset, long length) {
        assertThatThrownBy(() -> window.slice(offset, length))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(
                        length + " bytes at offset " + offset + " are not inside the window of rank 0 (4096 bytes)");
    }

    @Test
    void accessesOutsideAreRefusedAndNothingIsWritten() {
        assertThatThrownBy(() -> window.put(4090, new byte[] {1, 1, 1, 1, 1, 1, 1}))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> window.getLong(4096)).isInstanceOf(IndexOutOfBoundsException.class);
        byte[] end = new byte[6];
        window.get(4090, end);
        assertThat(end).containsOnly(0);
    }

    @Test
    void numbersAtOddPlacesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> window.getInt(3))
                .withMessage(
                        "offset 3 in the window of rank 0 (4096 bytes) is not aligned to the 4 bytes that are to be"
                                + " accessed there");
        assertThatIllegalArgumentException().isThrownBy(() -> window.putLong(4, 1));
    }

    @Test
    void viewsAreCopiedIntoEachOther() {
        window.slice(0, 8).putLong(0, 99);
        window.slice(0, 8).copyTo(window.slice(1024, 8));

        assertThat(window.getLong(1024)).isEqualTo(99);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> window.slice(0, 8).copyTo(window.slice(8, 9)))
                .withMessageContaining("the source has 8 bytes")
                .withMessageContaining("the target 9");
    }

    @Test
    void aViewIsNotCopiedOntoAPartOfItself() {
        assertThatThrownBy(() -> window.slice(0, 8).copyTo(window.slice(4, 8)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("the source [0x")
                .hasMessageContaining("and the target [0x")
                .hasMessageContaining("of 8 bytes overlap by 4 bytes")
                .hasMessageContaining("copy by way of other memory");
        window.slice(0, 8).copyTo(window.slice(0, 8));
    }

    @Test
    void ranksThatAreNotThereAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> comm.window(1))
                .withMessage("rank = 1 is not in [0, worldSize = 1)");
    }

    @Test
    void aViewOfAClosedCommunicatorSaysSo() {
        comm.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> window.getInt(0))
                .withMessage("the communicator of rank 0 of 1 is closed");
        assertThatIllegalStateException().isThrownBy(() -> comm.window(0));
    }
}
