package org.rankunit.collective.simulate.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.DeadlockException;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.tree.TreeAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;

/** One rank is held against a simulation of all. */
@Tag("unit")
class LockstepTest {

    private static final double ROUNDING = 1e-12;
    private static final List<Topology> MACHINES = List.of(
            Topology.uniform(new LinkModel(2e-6, 56e9, 1, true)),
            Topology.uniform(new LinkModel(0, 1e9, 1, true)).withReduction(0.25e-9),
            new Topology(new LinkModel(3e-6, 1e9, 3, true), new LinkModel(1e-5, 1e8, 1, true), 2, 1e-7, 1e10, 1e-10));

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 8, 16, 31, 64})
    void whatOneRankSaysIsWhatAllSay(int ranks) {
        List<String> compared = new ArrayList<>();
        for (CollectiveAlgorithm algorithm : BuiltinAlgorithms.all()) {
            long count = algorithm.collective() == Collective.BARRIER ? 0 : 100L * ranks;
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.FLOAT32, count);
            for (Topology topology : MACHINES) {
                if (algorithm.unsupportedReason(call).isEmpty()) {
                    Lockstep.byOneRank(algorithm, call, topology).ifPresent(simulation -> {
                        compared.add(algorithm.name());
                        assertIsThatOfAllRanks(
                                simulation, Simulation.of(Schedule.of(algorithm, call), topology), algorithm.name());
                    });
                }
            }
        }
        assertThat(compared).contains("RingAllReduce", "RingAllGather", "NhrAllReduce", "DisseminationBarrier");
        assertThat(compared.contains("HalvingDoublingAllReduce")).isEqualTo(Integer.bitCount(ranks) == 1);
    }

    private static void assertIsThatOfAllRanks(Simulation found, Simulation all, String name) {
        assertThat(found.seconds()).as(name).isEqualTo(all.seconds());
        assertThat(found.ends()).as(name).isEqualTo(all.ends());
        assertThat(found.events()).as(name).isEqualTo(all.events());
        // Without a latency, a path may as well go by the rank that had the port before.
        assertThat(found.criticalPath())
                .as(name)
                .extracting(Simulation.Step::begin, Simulation.Step::end)
                .containsExactlyElementsOf(all.criticalPath().stream()
                        .map(step -> tuple(step.begin(), step.end()))
                        .toList());
        assertThat(found.ports()).as(name).hasSameSizeAs(all.ports());
        for (int i = 0; i < found.ports().size(); i++) {
            assertThat(found.ports().get(i).bytes())
                    .isEqualTo(all.ports().get(i).bytes());
            assertThat(found.ports().get(i).busy()).isCloseTo(all.ports().get(i).busy(), within(ROUNDING));
        }
        for (int level = 0; level < found.busy().size(); level++) {
            assertThat(found.busy().get(level)).isCloseTo(all.busy().get(level), within(ROUNDING));
        }
        assertThat(found.links()).as(name).containsExactlyInAnyOrderElementsOf(all.links());
    }

    @Test
    void aRingOf4096RanksTakesWhatItsFormulaSays() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 4096, DType.FLOAT32, 4096 * 100);

        Simulation simulation =
                Lockstep.simulate(new RingAllReduce(), call, MACHINES.get(0)).orElseThrow();

        assertThat(simulation.seconds()).isCloseTo(2 * 4095 * (2e-6 + 400 / 56e9), within(1e-9));
        assertThat(simulation.links()).hasSize(4096);
    }

    @Test
    void whatIsNotInLockstepIsLeftToAllRanks() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 128, DType.FLOAT32, 12_800);
        Topology oneWay = Topology.uniform(new LinkModel(2e-6, 1e9, 1, false));

        assertThat(Lockstep.simulate(new TreeAllReduce(), call, MACHINES.get(0)))
                .isEmpty();
        assertThat(Lockstep.simulate(new RingAllReduce(), call, oneWay)).isEmpty();
        assertThat(Lockstep.simulate(new RingAllReduce(), call.withRanksPerServer(8), MACHINES.get(0)))
                .isEmpty();
        assertThat(Lockstep.simulate(new Odd(), call, MACHINES.get(0))).isEmpty();
        assertThat(Lockstep.simulate(new RingAllReduce(), call.withRanks(64), MACHINES.get(0)))
                .isEmpty();
    }

    @Test
    void ranksThatWaitForEverAreNamed() {
        CollectiveCall call = CollectiveCall.of(Collective.BARRIER, 100, DType.FLOAT32, 0);

        assertThatThrownBy(() -> Lockstep.simulate(new Waiting(), call, MACHINES.get(0)))
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining(
                        "Waiting, barrier of 100 ranks: all 100 ranks wait forever, rank 0 in:\n  WAIT for ACK");
    }

    /** Declares a symmetry that the last rank does not have. */
    private static final class Odd implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.ALL_REDUCE;
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return new RingAllReduce().resources(call, rank);
        }

        @Override
        public Symmetry symmetry(CollectiveCall call) {
            return Symmetry.CYCLIC;
        }

        @Override
        public void orchestrate(Orchestration rank) {
            new RingAllReduce().orchestrate(rank);
            if (rank.rank() == rank.call().ranks() - 1) {
                rank.main().copy(rank.input(), rank.output());
            }
        }
    }

    /** Each rank waits for the one before it before it posts to the one after it. */
    private static final class Waiting implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.BARRIER;
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            int n = call.ranks();
            return Resources.onMainStream(List.of((rank + 1) % n, (rank + n - 1) % n));
        }

        @Override
        public Symmetry symmetry(CollectiveCall call) {
            return Symmetry.CYCLIC;
        }

        @Override
        public void orchestrate(Orchestration rank) {
            int n = rank.call().ranks();
            rank.main().rxAck(rank.link((rank.rank() + n - 1) % n));
            rank.main().txAck(rank.link((rank.rank() + 1) % n));
        }
    }
}
