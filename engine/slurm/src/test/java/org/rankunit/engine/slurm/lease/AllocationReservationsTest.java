package org.rankunit.engine.slurm.lease;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.site.DevicesHere;
import org.rankunit.engine.site.GroupKind;
import org.rankunit.engine.site.GroupRequest;
import org.rankunit.engine.site.Reservation;
import org.rankunit.engine.site.ReservationException;
import org.rankunit.engine.slurm.job.LostNodes;
import org.rankunit.engine.slurm.job.NodeShare;

@Tag("unit")
@Timeout(60)
class AllocationReservationsTest {

    private static final SessionTime NO_LIMIT = SessionTime.begin(Optional.empty());

    private final LostNodes lost = new LostNodes();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void aGroupGetsOneSlotForEachRank() {
        AllocationReservations job = told(node("a", 8, 8), node("b", 8, 8));

        assertThat(slots(job.tryReserve(npu(3, 0), Set.of()))).containsExactly("a0", "a1", "a2");
        assertThat(slots(job.tryReserve(npu(4, 2), Set.of()))).containsExactly("a3", "a4", "b0", "b1");
    }

    @Test
    void whatAGroupHasNobodyElseGetsUntilItGivesItBack() {
        AllocationReservations job = told(node("a", 4, 4));
        Reservation first = job.tryReserve(npu(3, 0), Set.of()).orElseThrow();

        assertThat(job.tryReserve(npu(2, 0), Set.of())).isEmpty();
        first.lease().close();
        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("a0", "a1");
    }

    @Test
    void aLeaseIsGivenBackOnce() {
        AllocationReservations job = told(node("a", 2, 2));
        Reservation first = job.tryReserve(npu(2, 0), Set.of()).orElseThrow();
        first.lease().close();
        job.tryReserve(npu(2, 0), Set.of());

        first.lease().close();

        assertThat(job.tryReserve(npu(1, 0), Set.of())).isEmpty();
    }

    @Test
    void theNodesOfAvoidedDevicesAreAvoided() {
        AllocationReservations job = told(node("a", 4, 4), node("b", 4, 4));

        assertThat(slots(job.tryReserve(npu(2, 0), Set.of(new DeviceRef("a", 3)))))
                .containsExactly("b0", "b1");
        assertThat(job.tryReserve(npu(5, 0), Set.of(new DeviceRef("a", 3)))).isEmpty();
        assertThat(job.whyNever(npu(5, 0), Set.of(new DeviceRef("a", 3)))).isPresent();
    }

    @Test
    void ranksOfAllPlatformsOfANodeShareItsProcessors() {
        AllocationReservations job = told(node("a", 6, 4));
        Reservation simulated = job.tryReserve(simulator(4), Set.of()).orElseThrow();

        assertThat(job.tryReserve(npu(3, 0), Set.of())).isEmpty();
        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("a0", "a1");
        assertThat(job.tryReserve(simulator(1), Set.of())).isEmpty();
        simulated.lease().close();
        assertThat(slots(job.tryReserve(simulator(4), Set.of()))).containsExactly("a0", "a1", "a2", "a3");
    }

    @Test
    void processorsThatOthersUseOnOneNodeAreFreeOnAnother() {
        AllocationReservations job = told(node("a", 4, 4), node("b", 4, 4));
        job.tryReserve(simulator(4), Set.of());

        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("b0", "b1");
        assertThat(job.tryReserve(npu(2, 2), Set.of())).isEmpty();
    }

    @Test
    void aNodeHasOneGroupOnHardwareUntilStepsAreToldTheirDevices() {
        AllocationReservations job = untold(node("a", 8, 8), node("b", 8, 8));
        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("a0", "a1");

        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("b0", "b1");
        assertThat(job.tryReserve(npu(2, 0), Set.of())).isEmpty();
        assertThat(slots(job.tryReserve(simulator(2), Set.of()))).containsExactly("a0", "a1");

        job.stepsAreTold();
        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("a2", "a3");
    }

    @Test
    void aSimulatorBesideItDoesNotKeepHardwareFromANode() {
        AllocationReservations job = untold(node("a", 8, 8));
        job.tryReserve(simulator(2), Set.of());

        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("a0", "a1");
    }

    @Test
    void nothingIsStartedOnALostNode() {
        AllocationReservations job = told(node("a", 4, 4), node("b", 8, 8));
        lost.add("a", "it does not answer");

        assertThat(slots(job.tryReserve(npu(2, 0), Set.of()))).containsExactly("b0", "b1");
        assertThat(job.tryReserve(npu(2, 2), Set.of())).isEmpty();
    }

    @Test
    void whyAGroupNeverGetsItsDevicesHasTheNumbersAndTheJob() {
        AllocationReservations job = told(node("a", 8, 8), node("b", 8, 8));

        assertThat(job.whyNever(npu(8, 1), Set.of())).isEmpty();
        assertThat(job.whyNever(npu(12, 1), Set.of()))
                .contains("needs 12 devices on one node, and no node of the allocation has more than 8 (Slurm job 17)");
        assertThat(job.whyNever(npu(17, 0), Set.of()))
                .contains("needs 17 devices, and the allocation has 16 (Slurm job 17)");
        assertThat(job.whyNever(npu(3, 3), Set.of()))
                .contains("needs 3 nodes, and the allocation has 2 (Slurm job 17)");
    }

    @Test
    void whyAGroupNeverGetsItsDevicesNamesLostNodesWithTheirReasons() {
        AllocationReservations job = told(node("a", 8, 8), node("b", 8, 8));
        lost.add("b", "it does not answer");

        assertThat(job.whyNever(npu(2, 2), Set.of()))
                .contains("needs 2 nodes, and the allocation has 1 (b is lost)"
                        + " (Slurm job 17, without b: it does not answer)");
    }

    @Test
    void whyASimulatorNeverRunsOnSeveralNodesSaysWhatToDo() {
        AllocationReservations job = told(node("a", 8, 8), node("b", 8, 8));

        assertThat(job.whyNever(request(Platform.A2A3SIM, 4, 2), Set.of()))
                .contains("needs 2 nodes, and the ranks of a2a3sim share the memory of one node."
                        + " Run it on hardware, without @Nodes, or with a communication library that spans nodes"
                        + " (rankunit.comm-library, and --mpi in rankunit.slurm.srun-args)");
        assertThat(job.whyNever(request(Platform.A2A3SIM, 9, 0), Set.of()))
                .contains("needs 9 devices on one node, and no node of the allocation has more than 8 (Slurm job 17)");
    }

    @Test
    void aGroupThatOnlyAvoidsTooMuchIsToldWhat() {
        AllocationReservations job = told(node("a", 2, 2));

        assertThat(job.whyNever(npu(2, 0), Set.of(new DeviceRef("a", 1))))
                .contains("cannot have its devices without 1 of a");
    }

    @Test
    void thePlanLearnsWhatTheJobHasOfEachPlatform() {
        DevicesHere here = told(node("a", 8, 4), node("b", 2, 8)).devicesHere();

        assertThat(here.counts())
                .containsEntry(Platform.A2A3, 6)
                .containsEntry(Platform.A5, 0)
                .containsEntry(Platform.A2A3SIM, 10)
                .containsEntry(Platform.A5SIM, 10);
        assertThat(here.notes())
                .containsExactly(Map.entry(Platform.A5, "Slurm job 17 has no devices of it (rankunit.slurm.gres)"));
        assertThat(here.limits().whyNever(new GroupKind(Platform.A2A3, 4, 3, true, "")))
                .isPresent();
        assertThat(here.limits().whyNever(new GroupKind(Platform.A2A3, 4, 2, true, "")))
                .isEmpty();
    }

    @Test
    void whoeverHasFewerProcessorsThanDevicesIsAdvised() {
        assertThat(told(node("a", 8, 8), node("b", 1, 8)).advice())
                .contains("Slurm job 17 has 8 devices and 1 processor on b, and each rank needs one:"
                        + " ask for --ntasks-per-node=8 to use them all");
        assertThat(told(node("a", 2, 4)).advice()).get().asString().contains("4 devices and 2 processors on a");
        assertThat(told(node("a", 8, 8), node("b", 16, 8)).advice()).isEmpty();
        assertThat(told(node("a", 8, 8), node("b", 1, 8)).processors()).isEqualTo(9);
    }

    @Test
    void aGroupWaitsUntilAnotherGivesItsDevicesBack() throws Exception {
        AllocationReservations job = told(node("a", 2, 2));
        Reservation first = job.tryReserve(npu(2, 0), Set.of()).orElseThrow();
        List<String> waits = new CopyOnWriteArrayList<>();
        Future<Reservation> second = threads.submit(() -> job.reserve(npu(1, 0), Set.of(), waits::add));
        awaitThatAGroupWaits(job);
        assertThatThrownBy(() -> second.get(50, MILLISECONDS)).isInstanceOf(TimeoutException.class);

        first.lease().close();

        assertThat(slots(Optional.of(second.get(20, SECONDS)))).containsExactly("a0");
        assertThat(second.get().waitedNanos()).isPositive();
        assertThat(waits).containsExactly("waits for other groups of this run");
        assertThat(job.isAwaited(Platform.A2A3)).isFalse();
    }

    @Test
    void aGroupThatNeedNotWaitDoesNotSaySo() {
        List<String> waits = new ArrayList<>();
        told(node("a", 2, 2)).reserve(npu(2, 0), Set.of(), waits::add);

        assertThat(waits).isEmpty();
    }

    @Test
    void aGroupThatWaitsForItsNodeGoesOnWhenStepsAreTold() throws Exception {
        AllocationReservations job = untold(node("a", 4, 4));
        job.tryReserve(npu(2, 0), Set.of());
        Future<Reservation> second = threads.submit(() -> job.reserve(npu(2, 0), Set.of(), text -> {}));
        awaitThatAGroupWaits(job);

        job.stepsAreTold();

        assertThat(slots(Optional.of(second.get(20, SECONDS)))).containsExactly("a2", "a3");
    }

    @Test
    void theWaitHasADeadlineWhoseKeyIsNamed() {
        AllocationReservations job = reservations(true, NO_LIMIT, Duration.ofMillis(20), node("a", 2, 2));
        job.tryReserve(npu(2, 0), Set.of());

        assertThatThrownBy(() -> job.reserve(npu(1, 0), Set.of(), text -> {}))
                .isInstanceOf(ReservationException.class)
                .hasMessage("no devices of Slurm job 17 became free in time: other groups of this run have them"
                        + " (rankunit.lease-timeout)");
        assertThat(job.isAwaited(Platform.A2A3)).isFalse();
    }

    @Test
    void theWaitEndsWithTheRun() {
        SessionTime over = SessionTime.begin(Optional.of(Duration.ZERO));
        AllocationReservations job = reservations(true, over, Duration.ofHours(1), node("a", 2, 2));
        job.tryReserve(npu(2, 0), Set.of());

        assertThatThrownBy(() -> job.reserve(npu(1, 0), Set.of(), text -> {}))
                .isInstanceOf(ReservationException.class)
                .hasMessageContaining("the time limit of the whole run was reached")
                .hasMessageContaining("rankunit.session-timeout");
    }

    @Test
    void aGroupDoesNotWaitForWhatItNeverGets() {
        AllocationReservations job = told(node("a", 2, 2));

        assertThatThrownBy(() -> job.reserve(npu(3, 0), Set.of(), text -> {}))
                .isInstanceOf(ReservationException.class)
                .hasMessage("needs 3 devices, and the allocation has 2 (Slurm job 17)");
    }

    @Test
    void aGroupThatWaitsEndsItsWaitWhenItsNodeIsLost() throws Exception {
        AllocationReservations job = told(node("a", 2, 2));
        job.tryReserve(npu(2, 0), Set.of());
        Future<Reservation> second = threads.submit(() -> job.reserve(npu(1, 0), Set.of(), text -> {}));
        awaitThatAGroupWaits(job);

        lost.add("a", "it does not answer");

        assertThatThrownBy(() -> second.get(20, SECONDS))
                .cause()
                .isInstanceOf(ReservationException.class)
                .hasMessageContaining("without a: it does not answer");
    }

    /** Groups of all kinds come and go, as several threads of a run would let them. */
    @RepeatedTest(100)
    void noSlotIsGivenTwiceAndNoNodeHasMoreRanksThanProcessors(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        NodeShare[] nodes = IntStream.range(0, 1 + random.nextInt(3))
                .mapToObj(i -> node(String.valueOf((char) ('a' + i)), 1 + random.nextInt(8), random.nextInt(9)))
                .toArray(NodeShare[]::new);
        boolean tells = random.nextBoolean();
        AllocationReservations job = reservations(tells, NO_LIMIT, Duration.ofSeconds(1), nodes);
        List<Reservation> all = new ArrayList<>();

        for (int step = 0; step < 60; step++) {
            if (!all.isEmpty() && random.nextInt(3) == 0) {
                all.remove(random.nextInt(all.size())).lease().close();
            } else {
                int count = random.nextInt(3);
                GroupRequest request = random.nextBoolean()
                        ? simulator(1 + random.nextInt(4))
                        : npu(Math.max(1, count) * (1 + random.nextInt(3)), count);
                job.tryReserve(request, Set.of()).ifPresent(all::add);
            }
            checkShares(all, nodes, tells);
        }

        all.forEach(each -> each.lease().close());
        for (NodeShare node : nodes) {
            int slots = Math.min(node.cpus(), node.devices());
            boolean isFree =
                    slots == 0 || job.tryReserve(npu(slots, 1), Set.of()).isPresent();
            assertThat(isFree).isTrue();
        }
    }

    private static void checkShares(List<Reservation> all, NodeShare[] nodes, boolean tells) {
        Set<String> slots = new HashSet<>();
        Map<String, Integer> ranks = new HashMap<>();
        Map<String, Integer> groupsOnHardware = new HashMap<>();
        for (Reservation each : all) {
            for (DeviceRef slot : each.lease().devices()) {
                assertThat(slots.add(each.lease().platform() + slot)).isTrue();
                ranks.merge(slot.node(), 1, Integer::sum);
            }
            if (each.lease().platform().equals(Platform.A2A3.id())) {
                each.lease().devices().stream()
                        .map(DeviceRef::node)
                        .distinct()
                        .forEach(node -> groupsOnHardware.merge(node, 1, Integer::sum));
            }
        }
        for (NodeShare node : nodes) {
            assertThat(ranks.getOrDefault(node.node(), 0)).isLessThanOrEqualTo(node.cpus());
            assertThat(groupsOnHardware.getOrDefault(node.node(), 0)).isLessThanOrEqualTo(tells ? 8 : 1);
        }
    }

    private static void awaitThatAGroupWaits(AllocationReservations job) {
        long deadline = System.nanoTime() + SECONDS.toNanos(20);
        while (!job.isAwaited(Platform.A2A3) && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(job.isAwaited(Platform.A2A3)).isTrue();
    }

    private AllocationReservations told(NodeShare... nodes) {
        return reservations(true, NO_LIMIT, Duration.ofSeconds(30), nodes);
    }

    private AllocationReservations untold(NodeShare... nodes) {
        return reservations(false, NO_LIMIT, Duration.ofSeconds(30), nodes);
    }

    private AllocationReservations reservations(
            boolean tellsDevices, SessionTime session, Duration timeout, NodeShare... nodes) {
        AllocationTerms terms = new AllocationTerms(Platform.A2A3, 16, 1, tellsDevices, true);
        return new AllocationReservations("17", List.of(nodes), lost, terms, session, timeout);
    }

    private static NodeShare node(String name, int cpus, int devices) {
        return new NodeShare(name, cpus, devices, List.of());
    }

    private static GroupRequest npu(int ranks, int nodes) {
        return request(Platform.A2A3, ranks, nodes);
    }

    private static GroupRequest simulator(int ranks) {
        return request(Platform.A2A3SIM, ranks, 0);
    }

    private static GroupRequest request(Platform platform, int ranks, int nodes) {
        return new GroupRequest(new GroupKind(platform, ranks, nodes, true, ""), "SomeTest", Optional.empty());
    }

    private static List<String> slots(Optional<Reservation> reservation) {
        return reservation.orElseThrow().lease().devices().stream()
                .map(slot -> slot.node() + slot.id())
                .collect(Collectors.toList());
    }
}
