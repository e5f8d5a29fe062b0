package org.rankunit.distributed.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.distributed.p2p.Receipt.Answer;

/** What members write for each other is what they read. */
@Tag("unit")
class MessageFormatTest {

    @ParameterizedTest
    @EnumSource(DType.class)
    void envelopes(DType type) {
        ByteBuffer buffer = Envelope.allocate();
        for (Envelope envelope : new Envelope[] {new Envelope(false, type, 5L << 33, 65536), Envelope.END}) {
            envelope.writeTo(buffer);
            assertThat(Envelope.readFrom(buffer)).isEqualTo(envelope);
        }
    }

    @ParameterizedTest
    @EnumSource(Answer.class)
    void receipts(Answer answer) {
        ByteBuffer buffer = Envelope.allocate();
        Receipt receipt = new Receipt(answer, DType.BFLOAT16, 5L << 33);
        receipt.writeTo(buffer);
        assertThat(Receipt.readFrom(buffer)).isEqualTo(receipt);
    }

    @ParameterizedTest
    @EnumSource(ControlMessage.Kind.class)
    void messagesOfTheBarrier(ControlMessage.Kind kind) {
        ControlMessage message = new ControlMessage(kind, Duration.ofNanos(7), "é: member 1");
        assertThat(ControlMessage.decode(message.encode())).isEqualTo(message);
    }

    @Test
    void whatDoesNotFitOfATextIsLeftOut() {
        ControlMessage message = new ControlMessage(ControlMessage.Kind.FAILED, Duration.ZERO, "x".repeat(5000));
        String text = ControlMessage.decode(message.encode()).text();
        assertThat(text).hasSize(ControlMessage.BYTES - 16).containsOnlyOnce("x".repeat(1008));
    }
}
