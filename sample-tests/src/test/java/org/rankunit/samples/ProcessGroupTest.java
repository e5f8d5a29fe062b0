package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.comm.CommException;
import org.rankunit.distributed.Distributed;
import org.rankunit.distributed.GroupTensor;
import org.rankunit.distributed.ProcessGroup;
import org.rankunit.distributed.Work;

/** Host code in the manner of torch.distributed, where each device has a rank of its own. */
@Tag("downstream")
@DeviceCount({2, 3, 4})
@Platforms({"a2a3sim", "a5sim"})
class ProcessGroupTest {

    /** Element i of member r is 100 r + i. */
    private static GroupTensor tensor(ProcessGroup dist, int partCount) {
        int[] data = new int[dist.worldSize() * partCount];
        for (int i = 0; i < data.length; i++) {
            data[i] = (100 * Math.floorDiv(i, partCount)) + (i % partCount);
        }
        GroupTensor tensor = dist.zeros(DType.INT32, partCount);
        tensor.copyFrom(Values.int32(data));
        return tensor;
    }

    @Test
    void allReduceSumsUp(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            assertThat(dist.getRank()).isEqualTo(rank.rank());
            assertThat(dist.worldSize()).isEqualTo(rank.worldSize());
            assertThat(dist.getBackend()).isEqualTo("rankunit");
            int n = dist.worldSize();
            GroupTensor tensor = tensor(dist, 5);
            dist.allReduce(tensor);
            int[] sums = tensor.read().toInts();
            for (int i = 0; i < sums.length; i++) {
                assertThat(sums[i]).isEqualTo((50 * n * (n - 1)) + (n * (i % 5)));
            }
        }
    }

    /** More than the buffers of the domain hold. */
    @Test
    void largeDataIsReducedInChunks(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int count = 700_001;
            GroupTensor tensor = dist.zeros(DType.INT32, count);
            int[] data = new int[dist.worldSize() * count];
            for (int i = 0; i < data.length; i++) {
                data[i] = i % count;
            }
            tensor.copyFrom(Values.int32(data));
            dist.allReduce(tensor, Reduction.MAX);
            assertThat(tensor.read()).isEqualTo(Values.int32(data));
        }
    }

    @Test
    void allGatherAndReduceScatterAreInverse(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            GroupTensor input = tensor(dist, 3);
            GroupTensor all = dist.zeros(DType.INT32, 3 * n);
            dist.allGather(all, input);
            int[] parts = input.read().toInts();
            int[] gathered = all.read().toInts();
            for (int i = 0; i < gathered.length; i++) {
                assertThat(gathered[i]).isEqualTo(parts[i % parts.length]);
            }
            GroupTensor back = dist.zeros(DType.INT32, 3);
            dist.reduceScatter(back, all, Reduction.MIN);
            assertThat(back.read()).isEqualTo(input.read());
        }
    }

    @Test
    void broadcastAndMessagesReachTheirMembers(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int last = dist.worldSize() - 1;
            GroupTensor tensor = tensor(dist, 1);
            dist.sendReceive(tensor, last, 0);
            assertThat(tensor.read().toInts()).startsWith(100 * last).endsWith(100 * last);
            dist.broadcast(tensor(dist, 1), last);
            GroupTensor other = tensor(dist, 2);
            Work work = dist.broadcastAsync(other, last);
            dist.barrier();
            assertThat(work.isCompleted()).isTrue();
            assertThat(work.modelledNanoseconds()).isEmpty();
            assertThat(other.read().toInts()).containsOnly(100 * last, (100 * last) + 1);
        }
    }

    @Test
    void reduceGatherAndScatterHaveARoot(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            int root = n / 2;
            GroupTensor tensor = tensor(dist, 2);
            dist.reduce(tensor, root, Reduction.SUM);
            int[] reduced = tensor.read().toInts();
            for (int member = 0; member < n; member++) {
                assertThat(reduced[2 * member]).isEqualTo(member == root ? 50 * n * (n - 1) : 100 * member);
            }

            GroupTensor all = dist.zeros(DType.INT32, 3 * n);
            GroupTensor parts = tensor(dist, 3);
            dist.gather(all, parts, root);
            int[] gathered = all.read().toInts();
            int[] expected = parts.read().toInts();
            for (int i = 0; i < gathered.length; i++) {
                assertThat(gathered[i]).isEqualTo(i / (3 * n) == root ? expected[i % (3 * n)] : 0);
            }

            GroupTensor back = dist.zeros(DType.INT32, 3);
            dist.scatter(back, all, root);
            assertThat(back.read()).isEqualTo(parts.read());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.gather(parts, parts, 0))
                    .withMessageStartingWith("a part of 3 int32 does not hold ");
        }
    }

    /** Piece s of member r's part is 100 r + s, and becomes piece r of member s's part. */
    @Test
    void allToAllTransposes(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            GroupTensor output = dist.zeros(DType.INT32, n);
            dist.allToAll(output, tensor(dist, n));
            int[] exchanged = output.read().toInts();
            for (int i = 0; i < exchanged.length; i++) {
                assertThat(exchanged[i]).isEqualTo((100 * (i % n)) + (i / n));
            }
            GroupTensor odd = dist.zeros(DType.INT32, n + 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.allToAll(odd, odd))
                    .withMessageContaining("do not both hold " + n + " equal pieces");
        }
    }

    @Test
    void aGroupOfSomeHasItsOwnNumbers(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int last = dist.worldSize() - 1;
            try (ProcessGroup some = dist.newGroup(List.of(last, 0))) {
                assertThat(some.worldSize()).isEqualTo(2);
                GroupTensor tensor = tensor(some, 3);
                some.allReduce(tensor);
                assertThat(tensor.read()).isEqualTo(Values.int32(100, 102, 104, 100, 102, 104));
                GroupTensor message = tensor(some, 1);
                some.sendReceive(message, 1, 0);
                assertThat(message.read()).isEqualTo(Values.int32(100, 100));
                some.broadcast(message, 1);
                GroupTensor gathered = some.zeros(DType.INT32, 2);
                some.allGather(gathered, tensor(some, 1));
                assertThat(gathered.read()).isEqualTo(Values.int32(0, 100, 0, 100));
                GroupTensor sums = tensor(some, 1);
                some.reduce(sums, 1, Reduction.SUM);
                assertThat(sums.read()).isEqualTo(Values.int32(0, 100));
                GroupTensor pieces = some.zeros(DType.INT32, 2);
                some.allToAll(pieces, tensor(some, 2));
                assertThat(pieces.read()).isEqualTo(Values.int32(0, 100, 1, 101));
                some.gather(gathered, tensor(some, 1), 0);
                GroupTensor scattered = some.zeros(DType.INT32, 1);
                some.scatter(scattered, gathered, 0);
                assertThat(scattered.read()).isEqualTo(Values.int32(0, 100));
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.newGroup(List.of(dist.worldSize())))
                    .withMessageStartingWith("there is no rank ");
        }
    }

    @Test
    void simulatedDevicesHaveNoCollectivesOfAVendor(RankContext rank) {
        assertThatExceptionOfType(CommException.class)
                .isThrownBy(() -> Distributed.initProcessGroup(rank, "hccl"))
                .withMessageContaining("these devices have no collectives of a vendor's own: it is HCCL that has some");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Distributed.initProcessGroup(rank, "nccl"))
                .withMessage("backend = \"nccl\": devices have \"rankunit\" and \"hccl\"; \"ahbm\" needs a machine of"
                        + " processing elements");
    }
}
