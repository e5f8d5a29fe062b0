package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.Distributed;
import org.rankunit.distributed.GroupTensor;
import org.rankunit.distributed.ProcessGroup;
import org.rankunit.distributed.ReduceOp;
import org.rankunit.distributed.Work;

/** The same host API as in {@link ProcessGroupTest}, over the collectives of HCCL: on hardware, they are the default. */
@Tag("downstream")
@DeviceCount({2, 4})
@Platforms({"a2a3", "a5"})
class HcclProcessGroupTest {

    /** Element i of all parts is i. */
    private static GroupTensor counting(ProcessGroup dist, int partCount) {
        GroupTensor tensor = dist.zeros(DType.INT32, partCount);
        tensor.copyFrom(
                Values.int32(IntStream.range(0, dist.worldSize() * partCount).toArray()));
        return tensor;
    }

    @Test
    void allReduceSumsUp(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            assertThat(dist.getBackend()).isEqualTo("hccl");
            int n = dist.worldSize();
            GroupTensor tensor = counting(dist, 5);
            Work work = dist.allReduceAsync(tensor, Reduction.SUM);
            int[] sums = tensor.read().toInts();
            assertThat(work.isCompleted()).isTrue();
            for (int i = 0; i < sums.length; i++) {
                assertThat(sums[i]).isEqualTo((5 * n * (n - 1) / 2) + (n * (i % 5)));
            }
        }
    }

    @Test
    void allGatherAndReduceScatterAreInverse(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            GroupTensor input = counting(dist, 3);
            GroupTensor all = dist.zeros(DType.INT32, 3 * n);
            dist.allGather(all, input);
            assertThat(all.read().toInts())
                    .containsExactly(
                            IntStream.range(0, 3 * n * n).map(i -> i % (3 * n)).toArray());
            GroupTensor back = dist.zeros(DType.INT32, 3);
            dist.reduceScatter(back, all, Reduction.MAX);
            assertThat(back.read()).isEqualTo(input.read());
            GroupTensor average = dist.zeros(DType.FLOAT32, 1);
            average.copyFrom(Values.float32(n == 2 ? new float[] {1, 2} : new float[] {1, 2, 3, 4}));
            dist.allReduce(average, ReduceOp.AVG);
            assertThat(average.read().toFloats()).containsOnly((n + 1) / 2f);
        }
    }

    @Test
    void messagesAndBroadcastsReachTheirMembers(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int last = dist.worldSize() - 1;
            GroupTensor tensor = counting(dist, 1);
            dist.sendReceive(tensor, last, 0);
            assertThat(tensor.read().toInts()).startsWith(last).endsWith(last);
            dist.barrier();
            GroupTensor other = counting(dist, 2);
            dist.broadcast(other, 1);
            assertThat(other.read().toInts()).containsOnly(2, 3);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> dist.isend(other, last))
                    .withMessage("the backend hccl has no isend here: use the backend rankunit");
        }
    }

    @Test
    void aGroupOfSomeIsRefused(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.newGroup(List.of(1, 0)))
                    .withMessageStartingWith("a group of ranks [1, 0] of [0, 1")
                    .withMessageEndingWith("the backend hccl has groups of all ranks in their order only; use the"
                            + " backend rankunit for others");
        }
    }
}
