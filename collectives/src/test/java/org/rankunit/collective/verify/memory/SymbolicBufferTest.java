package org.rankunit.collective.verify.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A buffer beside a plain list of what each of its bytes is. */
@Tag("unit")
class SymbolicBufferTest {

    private static final int BYTES = 300;

    /** What a byte holds, and who wrote it. */
    private record Held(int expression, long position, long writer) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void partsHoldWhatWasWrittenToTheirBytes(long seed) {
        Random random = new Random(seed);
        SymbolicBuffer buffer = new SymbolicBuffer(BYTES, Expressions.UNWRITTEN);
        List<Held> bytes = new ArrayList<>(IntStream.range(0, BYTES)
                .mapToObj(at -> new Held(Expressions.UNWRITTEN, at, 0))
                .toList());
        for (int task = 1; task <= 400; task++) {
            int from = random.nextInt(BYTES);
            int to = from + 1 + random.nextInt(Math.min(BYTES - from, 1 + random.nextInt(BYTES)));
            int pieces = 1 + random.nextInt(Math.min(3, to - from));
            write(buffer, bytes, from, to, pieces, task);
            compare(buffer, bytes);
        }
    }

    private static void write(SymbolicBuffer buffer, List<Held> bytes, int from, int to, int pieces, int task) {
        Pieces written = new Pieces();
        for (int piece = 0; piece < pieces; piece++) {
            int expression = 10 * task + piece;
            written.add(piece, expression, 7L * piece + from);
            for (int at = from + piece; at < to; at++) {
                bytes.set(at, new Held(expression, at + 7L * piece, task));
            }
        }
        int first = buffer.split(from);
        buffer.replace(first, buffer.split(to, first), written, from, task);
    }

    private static void compare(SymbolicBuffer buffer, List<Held> bytes) {
        for (int at = 0; at < BYTES; at++) {
            int part = buffer.partAt(at);
            assertThat((long) at).isBetween(buffer.start(part), buffer.end(part) - 1);
            Held held = new Held(buffer.expression(part), at + buffer.shift(part), buffer.writer(part));
            assertThat(held).as("byte %d", at).isEqualTo(bytes.get(at));
        }
        assertThat(buffer.partAt(BYTES)).isEqualTo(buffer.parts() - 1);
        assertThat(buffer.end(buffer.parts() - 1)).isEqualTo(BYTES);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, Long.MAX_VALUE})
    void aPartIsFoundInABufferOfAnySize(long bytes) {
        SymbolicBuffer buffer = new SymbolicBuffer(bytes, 3);
        assertThat(buffer.partAt(0)).isZero();
        assertThat(buffer.partAt(bytes)).isZero();
        if (bytes > 1) {
            int last = buffer.split(bytes - 1);
            assertThat(last).isEqualTo(1);
            assertThat(buffer.partAt(bytes - 2)).isZero();
            assertThat(buffer.partAt(bytes - 1)).isEqualTo(last);
        }
    }
}
