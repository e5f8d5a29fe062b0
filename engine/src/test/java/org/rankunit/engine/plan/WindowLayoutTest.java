package org.rankunit.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.BufferSpec;
import org.rankunit.engine.protocol.TestDeclaration;

@Tag("unit")
class WindowLayoutTest {

    @Test
    void theFirstBufferIsAtTheBaseOfTheWindow() {
        assertThat(layoutOf(List.of(window("x", 64)), 0).buffers())
                .containsExactly(guarded(new BufferSpec("x", "FLOAT32", 64, "WINDOW", 0, 256), 64));
    }

    @Test
    void thePrefixComesFirst() {
        assertThat(layoutOf(List.of(window("x", 64)), 256).buffers().get(0).offset())
                .isEqualTo(256);
    }

    @Test
    void aPrefixAloneTakesItsOwnSize() {
        assertThat(layoutOf(List.of(), 100).windowBytes()).isEqualTo(100);
    }

    @Test
    void aBufferInDeviceMemoryTakesNothingOfTheWindow() {
        WindowLayout layout = layoutOf(
                List.of(new BufferDeclaration("d", DType.INT8, 5000, Placement.DEVICE, "C"), window("w", 1)), 0);

        assertThat(layout)
                .isEqualTo(new WindowLayout(
                        List.of(
                                guarded(new BufferSpec("d", "INT8", 5000, "DEVICE", 0, 5000), 64 + 56),
                                guarded(new BufferSpec("w", "FLOAT32", 1, "WINDOW", 0, 4), 64 + 60)),
                        128));
    }

    @Test
    void sizesBeyondTwoGigabytesAreCounted() {
        assertThat(layoutOf(List.of(window("a", Integer.MAX_VALUE), window("b", 1)), 0)
                        .windowBytes())
                .isEqualTo(8_589_934_592L + 64 + 128);
    }

    @Test
    void behindEachBufferIsItsGuard() {
        BufferDeclaration guarded =
                new BufferDeclaration("x", DType.INT8, 3, Placement.WINDOW, List.of(3), Buffer.Role.INPUT, false, "C");

        List<BufferSpec> buffers = layoutOf(List.of(guarded, window("y", 1)), 0).buffers();

        assertThat(buffers.get(0).guardBytes()).isEqualTo(61 + 64);
        assertThat(buffers.get(1).offset()).isEqualTo(128);
        assertThat(buffers.get(1).guardBytes()).isEqualTo(60 + 64);
    }

    @RepeatedTest(100)
    void anyBuffersLieInOrderAlignedApartAndInsideTheDeclaredTotal(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int prefix = random.nextInt(600);
        WindowLayout layout = layoutOf(anyBuffers(random), prefix);

        long end = prefix;
        for (BufferSpec buffer : layout.buffers()) {
            if (buffer.placement().equals("WINDOW")) {
                assertThat(buffer.offset())
                        .isGreaterThanOrEqualTo(end)
                        .isLessThan(end + WindowLayout.ALIGNMENT)
                        .matches(offset -> offset % WindowLayout.ALIGNMENT == 0, "is aligned");
                end = buffer.offset() + buffer.guardedBytes();
            }
        }
        assertThat(layout.windowBytes()).isEqualTo(end);
    }

    private static BufferSpec guarded(BufferSpec spec, int guardBytes) {
        return new BufferSpec(
                spec.name(),
                spec.type(),
                spec.count(),
                spec.placement(),
                spec.offset(),
                spec.bytes(),
                spec.shape(),
                spec.role(),
                spec.unverified(),
                guardBytes);
    }

    private static WindowLayout layoutOf(List<BufferDeclaration> buffers, int syncPrefix) {
        return WindowLayout.of(new TestDeclaration(
                "C",
                2,
                0,
                true,
                List.of(),
                buffers,
                List.of(),
                syncPrefix,
                "",
                null,
                0,
                TestDeclaration.Rounds.ONCE,
                null,
                null,
                0));
    }

    private static List<BufferDeclaration> anyBuffers(Random random) {
        List<BufferDeclaration> buffers = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            DType[] types = DType.values();
            buffers.add(new BufferDeclaration(
                    "b" + i,
                    types[random.nextInt(types.length)],
                    1 + random.nextInt(1000),
                    random.nextBoolean() ? Placement.WINDOW : Placement.DEVICE,
                    "C"));
        }
        return buffers;
    }

    private static BufferDeclaration window(String name, int count) {
        return new BufferDeclaration(name, DType.FLOAT32, count, Placement.WINDOW, "C");
    }
}
