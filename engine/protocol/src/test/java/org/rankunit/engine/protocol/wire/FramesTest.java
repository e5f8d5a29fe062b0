package org.rankunit.engine.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class FramesTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anySplitOfAStreamGivesTheSameMessages(long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> messages = new ArrayList<>();
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            byte[] message = new byte[random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(60)];
            random.nextBytes(message);
            messages.add(message);
            stream.write(Frames.wrap(message).array());
        }

        assertThat(received(stream.toByteArray(), random)).containsExactlyElementsOf(messages);
    }

    private static List<byte[]> received(byte[] stream, Random random) throws IOException {
        Frames frames = new Frames();
        List<byte[]> received = new ArrayList<>();
        int at = 0;
        while (at < stream.length) {
            int more = Math.min(stream.length - at, random.nextInt(3) == 0 ? random.nextInt(5000) : random.nextInt(9));
            frames.add(ByteBuffer.wrap(stream, at, more));
            at += more;
            for (byte[] message = frames.next(); message != null; message = frames.next()) {
                received.add(message);
            }
        }
        return received;
    }

    @Test
    void aMessageThatHasNotArrivedWholeIsNoMessage() throws IOException {
        Frames frames = new Frames();
        frames.add(ByteBuffer.wrap(new byte[] {0, 0, 0, 2, 7}));

        assertThat(frames.next()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"16777217, 16777217", "2147483647, 2147483647", "-1, 4294967295", "-2147483648, 2147483648"})
    void anImpossibleLengthIsRefusedBeforeAnythingIsReserved(int length, String shown) {
        Frames frames = new Frames();
        frames.add(ByteBuffer.allocate(4).putInt(length).flip());

        assertThatThrownBy(frames::next)
                .isInstanceOf(IOException.class)
                .hasMessage("a message of " + shown + " bytes; at most 16777216 are allowed");
    }

    @Test
    void aStrangersMessageMustBeSmallUntilItIsKnown() throws IOException {
        Frames frames = new Frames(Limits.FIRST_MESSAGE_BYTES);
        frames.add(Frames.wrap(new byte[Limits.FIRST_MESSAGE_BYTES]));
        assertThat(frames.next()).hasSize(4096);
        frames.add(Frames.wrap(new byte[Limits.FIRST_MESSAGE_BYTES + 1]));

        assertThatThrownBy(frames::next)
                .isInstanceOf(IOException.class)
                .hasMessage("a message of 4097 bytes; at most 4096 are allowed");

        frames.allow(Limits.MESSAGE_BYTES);
        assertThat(frames.next()).hasSize(4097);
    }

    @Test
    void aMessageThatIsTooLargeIsNotSent() {
        assertThatThrownBy(() -> Frames.wrap(new byte[Limits.MESSAGE_BYTES + 1]))
                .isInstanceOf(IOException.class)
                .hasMessage("a message of 16777217 bytes; at most 16777216 are allowed");
    }
}
