package org.rankunit.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.config.CclConfig;
import org.rankunit.distributed.pe.run.KernelException;

@Tag("unit")
class ProcessGroupTest {

    private ProcessGroup dist;

    @BeforeEach
    void init() {
        dist = Distributed.initProcessGroup(TestMachines.machine(), TestMachines.ccl(), "ring_allreduce_tcm");
    }

    @AfterEach
    void close() {
        dist.close();
    }

    private GroupTensor tensor(ProcessGroup group, int partCount) {
        float[] data = new float[group.worldSize() * partCount];
        for (int i = 0; i < data.length; i++) {
            data[i] = i;
        }
        GroupTensor tensor = group.zeros(DType.FLOAT32, partCount);
        tensor.copyFrom(Values.float32(data));
        return tensor;
    }

    @Test
    void theWorldHasTheSizeOfTheAlgorithmsEntry() {
        assertThat(dist.worldSize()).isEqualTo(8);
    }

    @Test
    void allGatherGivesAllPartsToEveryMember() {
        GroupTensor input = tensor(dist, 3);
        GroupTensor output = dist.zeros(DType.FLOAT32, 24);
        dist.allGather(output, input);
        float[] all = output.read().toFloats();
        for (int i = 0; i < all.length; i++) {
            assertThat(all[i]).isEqualTo(i % 24);
        }
    }

    @Test
    void reduceScatterGivesEachMemberItsPartOfTheSum() {
        GroupTensor input = tensor(dist, 16);
        GroupTensor output = dist.zeros(DType.FLOAT32, 2);
        dist.reduceScatter(output, input, Reduction.SUM);
        float[] parts = output.read().toFloats();
        for (int i = 0; i < parts.length; i++) {
            // Element i of members 0 to 7: 16 m + i.
            assertThat(parts[i]).isEqualTo((16 * 28) + (8 * i));
        }
    }

    @Test
    void broadcastGivesEveryMemberTheRootsPart() {
        GroupTensor tensor = tensor(dist, 2);
        dist.broadcast(tensor, 5);
        assertThat(tensor.read().toFloats()).containsOnly(10, 11).hasSize(16);
    }

    @Test
    void oneMemberSendsToAnother() {
        GroupTensor tensor = tensor(dist, 1);
        dist.sendReceive(tensor, 6, 2);
        assertThat(tensor.read().toFloats()).containsExactly(0, 1, 6, 3, 4, 5, 6, 7);
        dist.sendReceive(tensor, 3, 3);
        assertThat(tensor.read().toFloats()).containsExactly(0, 1, 6, 3, 4, 5, 6, 7);
    }

    @Test
    void whatTheBackendLacksIsNamed() {
        GroupTensor tensor = tensor(dist, 8);

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> dist.reduce(tensor, 0, Reduction.SUM))
                .withMessage("the backend ahbm has no reduce, but all-reduce, all-gather, reduce-scatter, broadcast and"
                        + " send-receive");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> dist.allToAll(tensor, tensor))
                .withMessageContaining("no all-to-all");
        assertUnsupported("AVG", () -> dist.allReduce(tensor, ReduceOp.AVG));
        assertUnsupported("AVG", () -> dist.reduceScatter(tensor, tensor(dist, 64), ReduceOp.AVG));
        assertUnsupported("isend", () -> dist.isend(tensor, 1));
        assertUnsupported("irecv", () -> dist.recv(tensor, 1));
        assertUnsupported("batchIsendIrecv", () -> dist.batchIsendIrecv(List.of(P2POp.isend(tensor, 1))));
        assertUnsupported("monitoredBarrier", () -> dist.monitoredBarrier(Duration.ofMinutes(1)));
    }

    private static void assertUnsupported(String what, ThrowingCallable call) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(call)
                .withMessageStartingWith("the backend ahbm has no " + what + ", but all-reduce, ");
    }

    @Test
    void asynchronousCallsAreDoneInTheirOrder() {
        GroupTensor tensor = tensor(dist, 1);
        Work first = dist.allReduceAsync(tensor, Reduction.SUM);
        Work second = dist.allReduceAsync(tensor, Reduction.MAX);
        assertThat(tensor.read().toFloats()).containsOnly(28);
        second.await();
        assertThat(first.isCompleted()).isTrue();
        assertThat(first.modelledNanoseconds().orElseThrow()).isPositive();
    }

    @Test
    void aGroupOfSomeMembersHasItsOwnNumbers() {
        ProcessGroup some = dist.newGroup(List.of(6, 1, 3));
        GroupTensor tensor = tensor(some, 1);
        some.allReduce(tensor);
        assertThat(some.worldSize()).isEqualTo(3);
        assertThat(tensor.read().toFloats()).containsExactly(3, 3, 3);
        some.close();
        GroupTensor whole = tensor(dist, 1);
        dist.allReduce(whole);
        assertThat(whole.read().toFloats()).containsOnly(28);
    }

    @Test
    void aFailureLeadsToTheCallThatHasFailed() {
        CclConfig.Entry entry = TestMachines.ccl().named("hello_send");
        CclConfig.Entry failing = new CclConfig.Entry(
                "failing",
                pe -> pe.recv(Direction.W, DType.FLOAT32, 1),
                entry.topology(),
                entry.queues(),
                1,
                entry.worldSize());
        try (ProcessGroup group = Distributed.initProcessGroup(TestMachines.machine(), failing, 3)) {
            GroupTensor tensor = group.zeros(DType.FLOAT32, 1);
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> group.allReduce(tensor))
                    .withMessageStartingWith("deadlock of PEs; none can continue:\n  PE 0 ")
                    .satisfies(e -> assertThat(e.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(ProcessGroupTest.class.getName())));
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        GroupTensor tensor = tensor(dist, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dist.broadcast(tensor, 8))
                .withMessage("root = 8: members are 0 to 7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dist.allGather(tensor, tensor))
                .withMessage("a part of 2 float32 does not hold 8 parts of 2 float32");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dist.newGroup(List.of(1, 8)))
                .withMessage("there is no rank 8 in a world of 8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dist.newGroup(List.of(1, 1)))
                .withMessage("members are different ranks, at least one: [1, 1]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tensor.copyFrom(Values.float16(1)))
                .withMessage("the tensor has 16 elements of float32, the array 1 of float16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Distributed.initProcessGroup(TestMachines.machine(), TestMachines.ccl(), "ring"))
                .withMessage("there is no algorithm \"ring\"; ccl.yaml has ring_allreduce_tcm, ring_allreduce_hbm,"
                        + " ring_allreduce_sram, mesh_allreduce_4, tree_allreduce_7, hello_send");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Distributed.initProcessGroup(
                        TestMachines.machine(), TestMachines.ccl().named("hello_send"), 20))
                .withMessage("a world of 20 PEs does not fill whole cubes of 8 PEs; 16 or 24 would");
    }
}
