package org.rankunit.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.config.CclConfig;

/** The seven cases of the bench, and what lies around them. */
@Tag("unit")
class AllReduceMatrixTest {

    /** What the host code of a test looks like: every member has its number plus one everywhere. */
    private static Values worker(ProcessGroup dist, DType type, int nElem) {
        int n = dist.worldSize();
        float[] data = new float[n * nElem];
        for (int i = 0; i < data.length; i++) {
            data[i] = 1f + Math.floorDiv(i, nElem);
        }
        GroupTensor tensor = dist.zeros(type, nElem);
        tensor.copyFrom(Values.rounded(type, data));
        dist.allReduce(tensor);
        dist.barrier();
        return tensor.read();
    }

    private static ProcessGroup group(String algorithm, int worldSize) {
        CclConfig.Entry entry = TestMachines.ccl().named(algorithm);
        return Distributed.initProcessGroup(TestMachines.machine(), entry, worldSize);
    }

    @ParameterizedTest
    @CsvSource({
        "ring_allreduce_tcm, 8",
        "ring_allreduce_hbm, 8",
        "ring_allreduce_sram, 8",
        "ring_allreduce_tcm, 16",
        "ring_allreduce_sram, 16",
        "mesh_allreduce_4, 4",
        "tree_allreduce_7, 7"
    })
    void everyPartIsTheSumOfAllInFloat16(String algorithm, int worldSize) {
        try (ProcessGroup dist = group(algorithm, worldSize)) {
            assertThat(dist.getRank()).isZero();
            assertThat(dist.localRanks()).hasSize(worldSize).startsWith(0, 1);
            assertThat(dist.newGroup(List.of(2, 1)).localRanks()).containsExactly(0, 1);
            assertThat(dist.worldSize()).isEqualTo(worldSize);
            assertThat(dist.getBackend()).isEqualTo("ahbm");
            Values result = worker(dist, DType.FLOAT16, 32);
            float[] expected = new float[worldSize * 32];
            Arrays.fill(expected, worldSize * (worldSize + 1) / 2f);
            assertThat(result.toFloats()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 7, 8, 16, 24, 64, 128, 256})
    void float32IsExactUpToTheWholeMachine(int worldSize) {
        for (String algorithm : List.of("ring_allreduce_tcm", "mesh_allreduce_4", "tree_allreduce_7")) {
            try (ProcessGroup dist = group(algorithm, worldSize)) {
                float[] expected = new float[worldSize * 32];
                Arrays.fill(expected, worldSize * (worldSize + 1) / 2f);
                assertThat(worker(dist, DType.FLOAT32, 32).toFloats())
                        .as("%s of %d", algorithm, worldSize)
                        .isEqualTo(expected);
            }
        }
    }

    /** Partial sums pass 2048, where float16 has no odd numbers any more. */
    @ParameterizedTest
    @ValueSource(strings = {"ring_allreduce_tcm", "mesh_allreduce_4", "tree_allreduce_7"})
    void float16OfSixtyFourIsWithinItsTolerance(String algorithm) {
        try (ProcessGroup dist = group(algorithm, 64)) {
            for (float element : worker(dist, DType.FLOAT16, 32).toFloats()) {
                assertThat(element / 2080).isBetween(0.9f, 1.1f);
            }
        }
    }

    static List<DType> numbers() {
        return Arrays.stream(DType.values())
                .filter(type -> type.isFloating() || type.isInteger())
                .toList();
    }

    /** Small whole numbers, so that every order of every reduction is exact in every type. */
    @ParameterizedTest
    @MethodSource("numbers")
    void everyTypeIsReducedByEveryReduction(DType type) {
        int worldSize = 3;
        int nElem = 5;
        Random random = new Random(7);
        List<float[]> parts = new ArrayList<>();
        float[] all = new float[worldSize * nElem];
        for (int rank = 0; rank < worldSize; rank++) {
            float[] part = new float[nElem];
            for (int i = 0; i < nElem; i++) {
                part[i] = 1 + random.nextInt(2);
                all[(rank * nElem) + i] = part[i];
            }
            parts.add(part);
        }
        for (Reduction reduction : Reduction.values()) {
            try (ProcessGroup dist = group("ring_allreduce_tcm", worldSize)) {
                GroupTensor tensor = dist.zeros(type, nElem);
                tensor.copyFrom(valuesOf(type, all));
                dist.allReduce(tensor, reduction);
                float[] expected = new float[all.length];
                for (int i = 0; i < all.length; i++) {
                    expected[i] = reduced(parts, i % nElem, reduction);
                }
                assertThat(tensor.read()).as("%s of %s", reduction, type).isEqualTo(valuesOf(type, expected));
            }
        }
    }

    private static float reduced(List<float[]> parts, int index, Reduction reduction) {
        float result = parts.get(0)[index];
        for (float[] part : parts.subList(1, parts.size())) {
            result = switch (reduction) {
                case SUM -> result + part[index];
                case PROD -> result * part[index];
                case MAX -> Math.max(result, part[index]);
                case MIN -> Math.min(result, part[index]);
            };
        }
        return result;
    }

    private static Values valuesOf(DType type, float... numbers) {
        if (type.isFloating()) {
            return Values.rounded(type, numbers);
        }
        return Values.filled(type, numbers.length, buffer -> {
            for (int i = 0; i < numbers.length; i++) {
                for (int each = 0; each < type.byteSize(); each++) {
                    buffer.put((i * type.byteSize()) + each, each == 0 ? (byte) numbers[i] : 0);
                }
            }
        });
    }

    /** None, one, fewer than members, more than a slot holds, more than all slots hold. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 1024, 1025, 5000})
    void everyNumberOfElementsIsReduced(int nElem) {
        for (String algorithm : List.of("ring_allreduce_tcm", "mesh_allreduce_4", "tree_allreduce_7")) {
            try (ProcessGroup dist = group(algorithm, 6)) {
                float[] expected = new float[6 * nElem];
                Arrays.fill(expected, 21);
                assertThat(worker(dist, DType.FLOAT32, nElem).toFloats())
                        .as("%s of %d elements", algorithm, nElem)
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Reduction.class)
    void aWorldOfOneKeepsItsElements(Reduction reduction) {
        for (String algorithm : List.of("ring_allreduce_tcm", "mesh_allreduce_4", "tree_allreduce_7")) {
            try (ProcessGroup dist = group(algorithm, 1)) {
                GroupTensor tensor = dist.zeros(DType.FLOAT32, 3);
                tensor.copyFrom(Values.float32(1, 2, 3));
                dist.allReduce(tensor, reduction);
                assertThat(tensor.read().toFloats()).containsExactly(1, 2, 3);
            }
        }
    }
}
