package org.rankunit.collective.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.DeadlockException;
import org.rankunit.collective.Signal;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/** Formulas: alpha is 2 us, beta 1 / (10 GB/s), gamma 1 / (40 GB/s). */
@Tag("unit")
class SimulationTest {

    private static final double ALPHA = 2e-6;
    private static final double BETA = 1e-10;
    private static final double GAMMA = 2.5e-11;
    private static final double ROUNDING = 1e-12;

    private static LinkModel links(int ports, boolean duplex) {
        return new LinkModel(ALPHA, 1 / BETA, ports, duplex);
    }

    private static CollectiveCall ring(int p) {
        return CollectiveCall.of(Collective.ALL_REDUCE, p, DType.FLOAT32, 1000L * p);
    }

    private static CollectiveCall mesh(int p) {
        return CollectiveCall.of(Collective.ALL_GATHER, p, DType.FLOAT32, 1000)
                .withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20);
    }

    private static double ringSeconds(int p, Topology topology) {
        return Simulation.of(Schedule.of(new RingAllReduce(), ring(p)), topology)
                .seconds();
    }

    private static double meshSeconds(int p, Topology topology) {
        return Simulation.of(Schedule.of(new AllGatherMeshOpbaseExecutor(), mesh(p)), topology)
                .seconds();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 16, 64})
    void aRingTakesWhatItsFormulaSays(int p) {
        double n = 4000.0 * p;
        double formula = 2 * (p - 1) * ALPHA + 2.0 * (p - 1) / p * n * BETA + (p - 1.0) / p * n * GAMMA;

        assertThat(ringSeconds(p, Topology.uniform(links(1, true)).withReduction(GAMMA)))
                .isCloseTo(formula, within(ROUNDING * p));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8, 16})
    void aMeshWithAPortForEachPeerTakesOneStep(int p) {
        assertThat(meshSeconds(p, Topology.uniform(links(p - 1, true))))
                .isCloseTo(ALPHA + 4000 * BETA, within(ROUNDING));
    }

    @Test
    void onePortSendsToOnePeerAfterTheOther() {
        assertThat(meshSeconds(8, Topology.uniform(links(1, true))))
                .isGreaterThan(ALPHA + 7 * 4000 * BETA - ROUNDING)
                .isGreaterThan(meshSeconds(8, Topology.uniform(links(2, true))));
    }

    @Test
    void aPortThatIsNotDuplexSendsOrReceives() {
        assertThat(meshSeconds(2, Topology.uniform(links(1, false))))
                .isCloseTo(ALPHA + 2 * 4000 * BETA, within(ROUNDING));
    }

    @Test
    void anUplinkSharedByARingSlowsOnlyItsServers() {
        // Of four ranks on two servers, one on each sends to the other server: half of what the uplink is made for.
        CollectiveCall call = ring(4).withRanksPerServer(2);
        Schedule schedule = Schedule.of(new RingAllReduce(), call);
        Topology wide = Topology.uniform(links(1, true));

        double fast = Simulation.of(schedule, wide).seconds();
        double same = Simulation.of(schedule, wide.withOversubscription(2)).seconds();
        double slow = Simulation.of(schedule, wide.withOversubscription(64)).seconds();

        assertThat(same).isEqualTo(fast);
        assertThat(slow).isGreaterThan(fast);
    }

    @Test
    void theCriticalPathOfARingIsAsLongAsItsSteps() {
        Simulation simulation =
                Simulation.of(Schedule.of(new RingAllReduce(), ring(5)), Topology.uniform(links(1, true)));

        assertThat(simulation.criticalPath())
                .filteredOn(step -> step.task().kind() != TaskKind.COPY)
                .hasSize(8);
    }

    @ParameterizedTest
    @CsvSource({"4, 2", "8, 4", "16, 8", "4, 1", "16, 1", "6, 2"})
    void anUplinkThatIsNotOversubscribedCostsNothing(int ranks, int ranksPerServer) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, 1_000_000);
        Topology topology = Topology.uniform(links(1, true));
        HalvingDoublingAllReduce algorithm = new HalvingDoublingAllReduce();

        assertThat(Simulation.of(Schedule.of(algorithm, call.withRanksPerServer(ranksPerServer)), topology)
                        .seconds())
                .isCloseTo(Simulation.of(Schedule.of(algorithm, call), topology).seconds(), within(ROUNDING));
    }

    @Test
    void aTransferIsAsSlowAsTheUplinkOfItsServer() {
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 2000).withRanksPerServer(1);
        Topology topology = Topology.uniform(links(1, true)).withOversubscription(4);

        // Two steps of 4,000 bytes at a quarter of the bandwidth of a port.
        assertThat(Simulation.of(Schedule.of(new RingAllReduce(), call), topology)
                        .seconds())
                .isCloseTo(2 * (ALPHA + 4 * 4000 * BETA), within(ROUNDING));
    }

    @Test
    void transfersShareAnUplink() {
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 4, DType.FLOAT32, 4000).withRanksPerServer(2);
        Schedule schedule = Schedule.of(new HalvingDoublingAllReduce(), call);
        Topology wide = Topology.uniform(links(1, true));

        // In the first step, both ranks of a server send 8,000 bytes to the other server: one after the other, through
        // an uplink with the bandwidth of one port.
        assertThat(Simulation.of(schedule, wide.withOversubscription(2)).seconds())
                .isGreaterThanOrEqualTo(Simulation.of(schedule, wide).seconds() + 8000 * BETA - ROUNDING);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16})
    void fewerPortsAreNeverFaster(int ranks) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, ranks, DType.FLOAT32, 1)
                .withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20);
        Schedule mesh = Schedule.of(new AllGatherMeshOpbaseExecutor(), call);

        double before = Double.MAX_VALUE;
        for (int ports = 1; ports < ranks; ports++) {
            Topology topology =
                    Topology.uniform(new LinkModel(0, 1e10, ports, true)).withTask(1e-6);
            double seconds = Simulation.of(mesh, topology).seconds();
            assertThat(seconds).isLessThanOrEqualTo(before + ROUNDING);
            before = seconds;
        }
    }

    static List<Simulation> simulations() {
        Topology slow = new Topology(links(1, true), new LinkModel(5 * ALPHA, 1e9, 1, true), 2, 0, 1e11, GAMMA);
        Schedule mesh = Schedule.of(new AllGatherMeshOpbaseExecutor(), mesh(8));
        Schedule ring = Schedule.of(new RingAllReduce(), ring(8).withRanksPerServer(3));
        return List.of(
                Simulation.of(mesh, Topology.uniform(links(1, true))),
                Simulation.of(mesh, Topology.uniform(links(2, false))),
                Simulation.of(ring, Topology.uniform(links(1, true))),
                Simulation.of(ring, slow));
    }

    @ParameterizedTest
    @MethodSource("simulations")
    void theCriticalPathHasNoGaps(Simulation simulation) {
        List<Simulation.Step> path = simulation.criticalPath();

        assertThat(path.get(0).begin()).isZero();
        for (int i = 1; i < path.size(); i++) {
            assertThat(path.get(i).begin())
                    .isLessThanOrEqualTo(path.get(i - 1).end() + ROUNDING)
                    .isGreaterThan(path.get(i - 1).begin() - ROUNDING);
        }
        assertThat(path.get(path.size() - 1).end()).isEqualTo(simulation.seconds());
    }

    @Test
    void moreBandwidthIsNeverSlower() {
        double before = Double.MAX_VALUE;
        for (double bandwidth = 1e9; bandwidth < 1e12; bandwidth *= 1.7) {
            double seconds = ringSeconds(6, Topology.uniform(new LinkModel(ALPHA, bandwidth, 1, true)));
            assertThat(seconds).isLessThan(before);
            before = seconds;
        }
    }

    @Test
    void theReportNamesTheTasksOfTheCriticalPath() {
        Simulation simulation =
                Simulation.of(Schedule.of(new RingAllReduce(), ring(4)), Topology.uniform(links(1, true)));

        assertThat(simulation.report())
                .startsWith("RingAllReduce, all-reduce of 4 ranks, 4000 float32, sum: 14.400 us")
                .contains("PUT_REDUCE output[")
                .contains("ports inside servers 16.7 % busy");
    }

    @Test
    void streamsThatWaitForEverAreNamed() {
        Schedule ring = Schedule.of(new RingAllReduce(), ring(3));
        List<Task> tasks = new ArrayList<>(ring.rank(1).tasks());
        tasks.removeIf(task -> task.kind() == TaskKind.POST
                && task.signalled() != null
                && task.signalled().signal() == Signal.ACK);
        Schedule broken = ring.with(ring.rank(1).withTasks(tasks));

        assertThatThrownBy(() -> Simulation.of(broken, Topology.uniform(links(1, true))))
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("RingAllReduce, all-reduce of 3 ranks, ")
                .hasMessageContaining("3 streams wait forever")
                .hasMessageContaining("WAIT for ACK from rank 1 to rank 0, task 2 of the main stream of rank 0");
    }

    @Test
    void linksThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new LinkModel(-1, 1, 1, true)).hasMessageContaining("at least 0 s");
        assertThatThrownBy(() -> new LinkModel(0, 0, 1, true)).hasMessageContaining("above 0 bytes/s");
        assertThatThrownBy(() -> new LinkModel(0, 1, 0, true)).hasMessageContaining("at least one port");
        assertThatThrownBy(() -> Topology.uniform(links(1, true)).withOversubscription(0.5))
                .hasMessageContaining("oversubscription is at least 1");
    }
}
