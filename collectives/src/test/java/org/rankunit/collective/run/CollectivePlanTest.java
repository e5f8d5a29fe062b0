package org.rankunit.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.run.RankProcess.Machine;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.device.Device;

/** Plans on communicators of real ranks, each in a JVM of its own. */
@Tag("ranks")
class CollectivePlanTest {

    @TempDir
    Path folder;

    @AfterAll
    static void endRanks() {
        RankProcess.closeAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aRingReducesExactly(int ranks) throws Exception {
        assertThat(RankProcess.run(RankScenario.RING_ALL_REDUCE, ranks, folder))
                .hasSize(ranks)
                .containsOnly("equal");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aMeshWithSubStreamsGathersExactly(int ranks) throws Exception {
        assertThat(RankProcess.run(RankScenario.MESH_ALL_GATHER, ranks, folder))
                .hasSize(ranks)
                .containsOnly("equal");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void whatIsVerifiedRunsOnWindows(int ranks) throws Exception {
        assertThat(RankProcess.run(RankScenario.REPERTOIRE, ranks, folder))
                .hasSize(ranks)
                .containsOnly("equal");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void whatIsVerifiedRunsOnStreamsOfDevices(int ranks) throws Exception {
        assertThat(RankProcess.run(RankScenario.REPERTOIRE_OF_SUMS, ranks, folder, Machine.emulated("vendor-9")))
                .hasSize(ranks)
                .containsOnly("equal");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void programsOfMscclRunOnWindowsAndOnStreamsOfDevices(int ranks) throws Exception {
        assertThat(RankProcess.run(RankScenario.PROGRAMS_OF_MSCCL, ranks, folder))
                .hasSize(ranks)
                .containsOnly("equal");
        assertThat(RankProcess.run(RankScenario.PROGRAMS_OF_MSCCL, ranks, folder, Machine.emulated("vendor-9")))
                .hasSize(ranks)
                .containsOnly("equal");
    }

    @Test
    void aMeshWithSubStreamsGathersExactlyOnStreamsOfDevices() throws Exception {
        assertThat(RankProcess.run(RankScenario.MESH_ALL_GATHER, 4, folder, Machine.emulated("vendor-9")))
                .hasSize(4)
                .containsOnly("equal");
    }

    @Test
    void streamsOfDevicesRefuseProductsOnAllRanksAndGoOn() throws Exception {
        assertThat(RankProcess.run(RankScenario.PRODUCTS, 2, folder, Machine.emulated("vendor-9")))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("NOT_SUPPORTED: ")
                        .endsWith("rank 0: aclrtReduceAsync, by which streams reduce, has no products, but sums,"
                                + " maxima and minima"));
    }

    @Test
    void devicesWithoutNotifiesRefusePlans() throws Exception {
        assertThat(RankProcess.run(RankScenario.RING_ALL_REDUCE, 2, folder, Machine.emulated("vendor-8.1")))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("NOT_SUPPORTED: ")
                        .contains("has no notifies that ranks could share"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void operatorsSelectAnAlgorithmAndFindTheResourcesOfItsTag(int ranks) throws Exception {
        assertThat(RankProcess.run(RankScenario.OPERATORS, ranks, folder))
                .hasSize(ranks)
                .containsOnly("equal");
        assertThat(RankProcess.run(RankScenario.OPERATORS, ranks, folder, Machine.emulated("vendor-9")))
                .hasSize(ranks)
                .containsOnly("equal");
    }

    @Test
    void ranksThatWantDifferentCollectivesAllSayBoth() throws Exception {
        assertThat(RankProcess.run(RankScenario.OTHER_COUNTS, 2, folder))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("MISMATCH: ")
                        .contains(
                                "rank 1 wants \"all-reduce of 2 ranks, 101 int32, sum by RingAllReduce\"",
                                "rank 0 wants \"all-reduce of 2 ranks, 100 int32, sum by RingAllReduce\""));
    }

    @Test
    void ranksThatRunDifferentTasksUnderOneNameAllSaySo() throws Exception {
        assertThat(RankProcess.run(RankScenario.SAME_NAME, 2, folder))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("MISMATCH: ")
                        .contains(
                                "rank 1 wants \"all-reduce of 2 ranks, 100 int32, sum by Same\"",
                                "by different tasks: algorithms of the same name, or with different parameters"));
    }

    @Test
    void plansAreToldApartByTheirTasksAndTheOldestIsClosed() throws Exception {
        assertThat(RankProcess.run(RankScenario.KEPT_PLANS, 2, folder))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output.lines())
                        .containsExactly(
                                "true",
                                "true",
                                "true",
                                "true",
                                "true",
                                "true",
                                "true",
                                "true",
                                "2 of at most 2 plans:",
                                "  all-reduce of 2 ranks, 100 int32, sum by Same",
                                "  all-reduce of 2 ranks, 100 int32, sum by Same"));
    }

    @ParameterizedTest
    @CsvSource({
        "REFUSED_OUTPUT, 'INVALID_ARGUMENT: ', 'output = 1073741824: 400 bytes from there are not inside the windows'",
        "CLOSED_PLAN, 'java.lang.IllegalStateException', 'is closed'",
        "REFUSED_ALGORITHM, 'org.rankunit.collective.OrchestrationException', 'is an algorithm for all-gather, not for all-reduce'"
    })
    void whatOneRankAloneRefusesItsPeersHearAtOnce(RankScenario scenario, String error, String reason)
            throws Exception {
        List<String> outputs = RankProcess.run(scenario, 2, folder);

        assertThat(outputs.get(0)).startsWith("ABORTED: ").contains("rank 1", reason);
        assertThat(outputs.get(1)).startsWith(error).contains(reason);
    }

    @Test
    void anAlgorithmThatQueuesOtherTasksEachTimeIsRefused() {
        CollectiveCall call = allReduce(4, DType.FLOAT32);

        assertThatThrownBy(() -> ScheduleDigest.of(new SameNames.Moody(), call, 2))
                .isInstanceOf(OrchestrationException.class)
                .hasMessageContaining("queues other tasks for rank 2 when it is asked again");
        assertThatThrownBy(() -> Verifier.verify(new SameNames.Moody(), call))
                .isInstanceOf(OrchestrationException.class)
                .hasMessageContaining("Moody queues other tasks for rank ");
    }

    @Test
    void ranksWhoseBuffersLieElsewhereAllSayWhere() throws Exception {
        assertThat(RankProcess.run(RankScenario.OTHER_OFFSETS, 2, folder))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("MISMATCH: ")
                        .contains(
                                "rank 0 has its input at 0 and its output at 1024",
                                "rank 1 has its input at 0 and its output at 1536"));
    }

    @Test
    void aPostThatIsLostIsNamedWithTheLineOfTheAlgorithmOnBothRanks() throws Exception {
        assertThat(RankProcess.run(RankScenario.LOST_POST, 2, folder))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("MISMATCH: ")
                        .contains("rank 0 posted ACK from rank 0 to rank 1 (LostPost.java:31), which was still set: the"
                                + " earlier post is lost; in all-reduce of 2 ranks, 100 int32, sum by LostPost"));
    }

    @Test
    void devicesNameThePostForWhichNobodyWaitsWithTheLineOfTheAlgorithm() throws Exception {
        assertThat(RankProcess.run(RankScenario.LOST_POST, 2, folder, Machine.emulated("vendor-9")))
                .hasSize(2)
                .allSatisfy(output -> assertThat(output)
                        .startsWith("MISMATCH: ")
                        .contains(
                                "rank 0 posts ACK from rank 0 to rank 1 (LostPost.java:30), which never waits for it"));
    }

    @Test
    void aPeerThatDiesIsNamedOnAllOthers() throws Exception {
        List<String> outputs = RankProcess.run(RankScenario.DEATH, 3, folder);

        assertThat(outputs.get(0)).startsWith("PEER_DIED: ").contains("rank 1 (process ");
        assertThat(outputs.get(2)).startsWith("PEER_DIED: ").contains("rank 1 (process ");
    }

    @Test
    void aPeerThatDiesIsNamedOnAllOthersOfDevices() throws Exception {
        List<String> outputs = RankProcess.run(RankScenario.DEATH, 3, folder, Machine.emulated("vendor-9"));

        assertThat(outputs.get(0)).startsWith("PEER_DIED: ").contains("rank 1 (process ");
        assertThat(outputs.get(2)).startsWith("PEER_DIED: ").contains("rank 1 (process ");
    }

    @Test
    void aCallOfOtherRanksThanTheCommunicatorHasIsRefused() {
        alone((comm, device) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> CollectivePlan.of(comm, new RingAllReduce(), allReduce(2, DType.FLOAT32)))
                .withMessageContaining("the communicator has 1 ranks"));
    }

    @Test
    void aTypeWithoutReductionsIsRefused() {
        alone((comm, device) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> CollectivePlan.of(comm, new RingAllReduce(), allReduce(1, DType.BOOL)))
                .withMessageContaining("elements of type bool are not reduced"));
    }

    @Test
    void aPlanIsKeptForItsTagAndCall() {
        alone((comm, device) -> {
            RingAllReduce ring = new RingAllReduce();
            try (Collectives collectives = new Collectives(comm)) {
                CollectivePlan plan = collectives.plan("a", ring, allReduce(1, DType.FLOAT32));

                assertThat(collectives.plan("a", new RingAllReduce(), allReduce(1, DType.FLOAT32)))
                        .isSameAs(plan);
                assertThat(collectives.plan("b", ring, allReduce(1, DType.FLOAT32)))
                        .isNotSameAs(plan);
                assertThat(collectives.plan("a", ring, allReduce(1, DType.INT32)))
                        .isNotSameAs(plan);
            }
        });
    }

    @Test
    void aClosedPlanIsRefusedAndCanBeClosedAgain() {
        alone((comm, device) -> {
            CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), allReduce(1, DType.FLOAT32));
            plan.close();
            plan.close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> plan.run(0, 1024))
                    .withMessageContaining("is closed");
        });
    }

    @Test
    void aPlanMayBeClosedAfterItsCommunicator() {
        alone((comm, device) -> {
            CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), allReduce(1, DType.FLOAT32));
            comm.close();
            plan.close();

            assertThat(comm.isClosed()).isTrue();
        });
    }

    private static CollectiveCall allReduce(int ranks, DType type) {
        return CollectiveCall.of(Collective.ALL_REDUCE, ranks, type, 16);
    }

    private void alone(BiConsumer<Communicator, Device> test) {
        CommunicatorConfig config =
                new CommunicatorConfig(0, 1, new Rendezvous.File(folder.resolve("root")), 4096, Duration.ofSeconds(10));
        try (Device device = Device.open("a2a3sim", 0);
                Communicator comm = Communicator.open(config, device)) {
            test.accept(comm, device);
        }
    }
}
