package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.distributed.Distributed;
import org.rankunit.distributed.GroupTensor;
import org.rankunit.distributed.ProcessGroup;
import org.rankunit.distributed.ReduceOp;

/** Averages of process groups: the sum, divided by the number of members, and rounded once. */
@Tag("downstream")
@DeviceCount({2, 3, 4})
@Platforms("a2a3sim")
class AverageTest {

    private static final List<DType> TYPES = List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);

    /** So large that sums are rounded, and some small enough to be subnormal in float16. */
    private static Values random(DType type, int count, long seed) {
        Random random = new Random(seed);
        double[] data = random.doubles(count, -1, 1)
                .map(each -> each * Math.pow(2, random.nextInt(-22, 10)))
                .toArray();
        if (type == DType.FLOAT64) {
            return Values.float64(data);
        }
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = (float) data[i];
        }
        return type == DType.FLOAT32 ? Values.float32(floats) : Values.rounded(type, floats);
    }

    private static GroupTensor tensor(ProcessGroup group, DType type, int partCount) {
        GroupTensor tensor = group.zeros(type, partCount);
        tensor.copyFrom(random(
                type, group.worldSize() * partCount, partCount + type.toString().hashCode()));
        return tensor;
    }

    /** Demands that no other element of the type is nearer to sum / n, and that of two that are as near it is the even one. */
    private static void assertAverages(Values averages, Values sums, int n) {
        assertThat(averages.count()).isEqualTo(sums.count());
        for (int i = 0; i < sums.count(); i++) {
            BigDecimal exact = new BigDecimal(sums.doubleAt(i)).divide(BigDecimal.valueOf(n), new MathContext(200));
            long bits = averages.bitsAt(i);
            BigDecimal distance =
                    exact.subtract(new BigDecimal(averages.doubleAt(i))).abs();
            for (long neighbour : new long[] {bits - 1, bits + 1}) {
                if (averages.doubleAt(i) == 0 && neighbour < bits) {
                    continue;
                }
                BigDecimal other = exact.subtract(new BigDecimal(ofBits(averages.type(), neighbour)))
                        .abs();
                int comparison = distance.compareTo(other);
                assertThat(comparison < 0 || (comparison == 0 && bits % 2 == 0))
                        .as("%s / %d = %s", sums.format(i), n, averages.format(i))
                        .isTrue();
            }
        }
    }

    private static double ofBits(DType type, long bits) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bits)
                .array();
        return Values.decode(type, Arrays.copyOf(bytes, type.byteSize())).doubleAt(0);
    }

    private static void assertAllReduced(ProcessGroup group) {
        for (DType type : TYPES) {
            GroupTensor sums = tensor(group, type, 40);
            GroupTensor averages = tensor(group, type, 40);
            group.allReduce(sums, ReduceOp.SUM);
            group.allReduce(averages, ReduceOp.AVG);
            assertAverages(averages.read(), sums.read(), group.worldSize());
        }
    }

    @Test
    void allReduceAveragesOnAllMembers(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            assertAllReduced(dist);
            try (ProcessGroup some = dist.newGroup(List.of(dist.worldSize() - 1, 0))) {
                assertAllReduced(some);
            }
            GroupTensor quarters = dist.zeros(DType.FLOAT32, 1);
            int n = dist.worldSize();
            float[] parts = new float[n];
            for (int i = 0; i < n; i++) {
                parts[i] = i;
            }
            quarters.copyFrom(Values.float32(parts));
            dist.allReduceAsync(quarters, ReduceOp.AVG).await();
            assertThat(quarters.read().toFloats()).containsOnly((n - 1) / 2f);
        }
    }

    @Test
    void reduceScatterAveragesEachPartAndReduceThatOfTheRoot(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            for (DType type : TYPES) {
                GroupTensor input = tensor(dist, type, 6 * n);
                GroupTensor sums = dist.zeros(type, 6);
                GroupTensor averages = dist.zeros(type, 6);
                dist.reduceScatter(sums, input, ReduceOp.SUM);
                dist.reduceScatter(averages, input, ReduceOp.AVG);
                assertAverages(averages.read(), sums.read(), n);

                int root = n - 1;
                GroupTensor sum = tensor(dist, type, 6);
                GroupTensor average = tensor(dist, type, 6);
                Values before = average.read();
                dist.reduce(sum, root, ReduceOp.SUM);
                dist.reduce(average, root, ReduceOp.AVG);
                Values after = average.read();
                int size = 6 * type.byteSize();
                assertAverages(part(after, root, size), part(sum.read(), root, size), n);
                for (int member = 0; member < root; member++) {
                    assertThat(part(after, member, size)).isEqualTo(part(before, member, size));
                }
            }
        }
    }

    private static Values part(Values whole, int member, int bytes) {
        return Values.decode(whole.type(), Arrays.copyOfRange(whole.encode(), member * bytes, (member + 1) * bytes));
    }

    @Test
    void averagesOfIntegersAreRefusedAndSumsOverflow(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            GroupTensor integers = dist.zeros(DType.INT32, dist.worldSize());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.allReduce(integers, ReduceOp.AVG))
                    .withMessage("AVG of int32: only floating types have averages; use SUM, and divide as you need");
            assertThatIllegalArgumentException().isThrownBy(() -> dist.reduce(integers, 0, ReduceOp.AVG));
            float[] large = new float[dist.worldSize()];
            Arrays.fill(large, 65504);
            GroupTensor halves = dist.zeros(DType.FLOAT16, 1);
            halves.copyFrom(Values.float16(large));
            dist.allReduce(halves, ReduceOp.AVG);
            assertThat(halves.read().toFloats()).containsOnly(Float.POSITIVE_INFINITY);
        }
    }
}
