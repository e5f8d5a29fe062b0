package org.rankunit.collective.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.mesh.MeshAllGather;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.tree.BinomialBroadcast;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/** What ports and links carry, and who takes them first. A byte takes 1 ns. */
@Tag("unit")
class LinkUseTest {

    private static final double ALPHA = 2e-6;
    private static final double ROUNDING = 1e-12;
    private static final Topology ONE_PORT = Topology.uniform(new LinkModel(ALPHA, 1e9, 1, true));

    private static CollectiveCall allReduce(int ranks, long count) {
        return CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, count);
    }

    private static Simulation ring(int ranks, int ranksPerServer, Topology topology) {
        CollectiveCall call = allReduce(ranks, 1000L * ranks).withRanksPerServer(ranksPerServer);
        return Simulation.of(Schedule.of(new RingAllReduce(), call), topology);
    }

    @Test
    void eachLinkOfARingCarriesTheSame() {
        Simulation simulation = ring(4, 4, ONE_PORT);

        // 6 steps of 4,000 bytes; each takes 2 us before its bytes flow.
        assertThat(simulation.links())
                .extracting(LinkUse::from, LinkUse::to, LinkUse::bytes)
                .containsExactly(
                        tuple(0, 1, 24_000L), tuple(1, 2, 24_000L), tuple(2, 3, 24_000L), tuple(3, 0, 24_000L));
        assertThat(simulation.links())
                .allSatisfy(link -> assertThat(link.busy()).isCloseTo(4.0 / 6, within(ROUNDING)));
        assertThat(simulation.ports()).hasSize(2).allSatisfy(port -> {
            assertThat(port.bytes()).isEqualTo(96_000);
            assertThat(port.busy()).isCloseTo(4.0 / 6, within(ROUNDING));
        });
        assertThat(simulation.report())
                .contains(
                        "\n  busiest of 4 links\n    rank 0 to rank 1: 24,000 bytes, 66.7 % busy\n    rank 1 to rank 2");
    }

    @Test
    void uplinksAndDownlinksCarryWhatGoesBetweenServers() {
        Simulation simulation = ring(6, 2, ONE_PORT);

        // Ranks 1, 3 and 5 send to the next server; each server sends and receives 10 steps of 4,000 bytes.
        assertThat(simulation.ports())
                .filteredOn(port -> port.kind() == PortKind.UPLINK || port.kind() == PortKind.DOWNLINK)
                .extracting(PortUse::group, PortUse::kind, PortUse::bytes)
                .containsExactly(
                        tuple(0, PortKind.UPLINK, 40_000L),
                        tuple(0, PortKind.DOWNLINK, 40_000L),
                        tuple(1, PortKind.UPLINK, 40_000L),
                        tuple(1, PortKind.DOWNLINK, 40_000L),
                        tuple(2, PortKind.UPLINK, 40_000L),
                        tuple(2, PortKind.DOWNLINK, 40_000L));
    }

    @Test
    void theBusiestLinkIsTheFirst() {
        Topology slow =
                new Topology(new LinkModel(ALPHA, 1e9, 1, true), new LinkModel(ALPHA, 1e8, 1, true), 1, 0, 1e12, 0);
        Simulation simulation = ring(6, 3, slow);

        assertThat(simulation.links().subList(0, 2))
                .extracting(LinkUse::from, LinkUse::to)
                .containsExactly(tuple(2, 3), tuple(5, 0));
        assertThat(simulation.links())
                .isSortedAccordingTo(Comparator.comparingDouble(LinkUse::busy).reversed());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8, 40})
    void linksCarryWhatTheTasksMove(int ranks) {
        BuiltinAlgorithms.all().forEach(algorithm -> {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.FLOAT32, 24);
            if (algorithm.unsupportedReason(call).isEmpty()) {
                Schedule schedule = Schedule.of(algorithm, call);
                assertThat(Simulation.of(schedule, ONE_PORT).links().stream()
                                .mapToLong(LinkUse::bytes)
                                .sum())
                        .as(algorithm.name())
                        .isEqualTo(schedule.ranks().stream()
                                .mapToLong(LinkUseTest::moved)
                                .sum());
            }
        });
    }

    private static long moved(RankSchedule rank) {
        long bytes = 0;
        for (int task = 0; task < rank.size(); task++) {
            bytes += rank.kind(task).isTransfer() ? rank.bytes(task) : 0;
        }
        return bytes;
    }

    @Test
    void whatComesInToAServerIsLimitedAsWhatGoesOut() {
        // Ranks 2 to 5, on two other servers, write to rank 0 through the downlink of its server.
        CollectiveCall call =
                CollectiveCall.of(Collective.GATHER, 6, DType.INT8, 10_000).withRanksPerServer(2);
        Schedule writes = Schedule.of(new LateWrites(List.of(0L, 0L, 0L, 0L, 0L, 0L)), call);
        Topology ports = Topology.uniform(new LinkModel(0, 1e9, 4, true));

        // It has the bandwidth of 8 ports, and rank 0 has 4 of them. Divided by 8, it carries one write at a time.
        assertThat(Simulation.of(writes, ports).seconds()).isCloseTo(10e-6, within(ROUNDING));
        assertThat(Simulation.of(writes, ports.withOversubscription(4)).seconds())
                .isCloseTo(20e-6, within(ROUNDING));
        assertThat(Simulation.of(writes, ports.withOversubscription(8)).seconds())
                .isCloseTo(40e-6, within(ROUNDING));
    }

    @Test
    void aPortServesFirstWhoComesFirst() {
        CollectiveCall call = CollectiveCall.of(Collective.GATHER, 5, DType.INT8, 10_000);
        Schedule writes = Schedule.of(new LateWrites(List.of(0L, 40L, 30L, 10L, 20L)), call);
        Topology topology = new Topology(ONE_PORT.inside(), ONE_PORT.between(), 1, 0, 1e9, 0);

        Simulation simulation = Simulation.of(writes, topology);

        assertThat(simulation.criticalPath())
                .extracting(Simulation.Step::task)
                .filteredOn(task -> task.kind() == TaskKind.PUT)
                .extracting(Task::rank)
                .containsExactly(3, 4, 2, 1);
        // The first one comes after 10 bytes; four transfers follow each other, and the last one travels for a latency.
        assertThat(simulation.seconds()).isCloseTo(10e-9 + 4 * 10e-6 + ALPHA, within(ROUNDING));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8})
    void twoRunsAreEqual(int ranksPerServer) {
        Topology busy = new Topology(
                new LinkModel(ALPHA, 1e9, 2, true), new LinkModel(ALPHA, 3e8, 1, false), 2, 1e-7, 1e10, 1e-10);
        BuiltinAlgorithms.all().forEach(algorithm -> {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), 8, DType.FLOAT32, 100)
                    .withRanksPerServer(ranksPerServer);
            if (algorithm.unsupportedReason(call).isEmpty()) {
                assertThat(Simulation.of(Schedule.of(algorithm, call), busy))
                        .isEqualTo(Simulation.of(Schedule.of(algorithm, call), busy));
            }
        });
    }

    @Test
    void fourThousandRanksTakeWhatTheFormulaSays() {
        HalvingDoublingAllReduce algorithm = new HalvingDoublingAllReduce();
        CollectiveCall call = allReduce(4096, 4096L * 16);

        Simulation simulation = Simulation.of(Schedule.of(algorithm, call), ONE_PORT);

        double formula = Simulation.formula(algorithm.cost(call).orElseThrow(), ONE_PORT.inside());
        assertThat(simulation.seconds()).isCloseTo(formula, within(1e-9 * formula));
        // In each of 12 steps, every rank has another partner.
        assertThat(simulation.links()).hasSize(4096 * 12);
    }

    @Test
    void aRankAloneUsesNothing() {
        Simulation simulation = Simulation.of(Schedule.of(new MeshAllGather(), allGather(1)), ONE_PORT);

        assertThat(simulation.links()).isEmpty();
        assertThat(simulation.ports()).isEmpty();
        assertThat(simulation.report()).doesNotContain("busiest");
    }

    @Test
    void oneLinkIsNotCalledLinks() {
        CollectiveCall call = CollectiveCall.of(Collective.BROADCAST, 2, DType.FLOAT32, 10);

        assertThat(Simulation.of(Schedule.of(new BinomialBroadcast(), call), ONE_PORT)
                        .report())
                .contains("busiest of 1 link\n");
    }

    private static CollectiveCall allGather(int ranks) {
        return CollectiveCall.of(Collective.ALL_GATHER, ranks, DType.FLOAT32, 10);
    }
}
