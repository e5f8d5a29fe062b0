package org.rankunit.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;
import org.rankunit.Nodes;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.PoolSetup;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.plan.TestDecision;
import org.rankunit.engine.site.DevicesHere;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.machine.Machine;
import org.rankunit.pool.machine.NpuDevice;
import org.rankunit.pool.machine.NpuHealth;

/** What a run on one machine can and cannot have. */
@Tag("unit")
class PoolReservationsTest {

    private static final Machine LAPTOP = new Machine(List.of(), Map.of(), "/dev/davinci*", List.of());
    private static final Machine SERVER = new Machine(
            IntStream.range(0, 8)
                    .mapToObj(id -> new NpuDevice(id, id, id, 0, "910B3", "a2a3", NpuHealth.OK, "OK", "0000:C1:00.0"))
                    .toList(),
            Map.of("a2a3", Topology.FLAT),
            "npu-smi",
            List.of());

    @DeviceCount(4)
    @Nodes(2)
    static class OnTwoNodes {

        @Test
        void test() {}
    }

    @DeviceCount(4)
    @Nodes(1)
    static class OnOneNode {

        @Test
        void test() {}
    }

    @Test
    void aTestThatNeedsTwoNodesIsSkippedWithWhatGivesThem(@TempDir Path pool) {
        TestDecision.Skipped skipped =
                new TestDecision.Skipped("needs 2 nodes, but this run has one machine; on a Slurm"
                        + " cluster, rankunit.launcher = slurm gives it the nodes of an allocation");

        assertThat(decision(OnTwoNodes.class, LAPTOP, pool)).isEqualTo(skipped);
        assertThat(decision(OnTwoNodes.class, SERVER, pool)).isEqualTo(skipped);
    }

    @Test
    void aTestThatStaysOnOneNodeRunsOnThisMachine(@TempDir Path pool) {
        assertThat(decision(OnOneNode.class, LAPTOP, pool))
                .isEqualTo(new TestDecision.Runs(Platform.A2A3SIM, List.of()));
        assertThat(decision(OnOneNode.class, SERVER, pool)).isEqualTo(new TestDecision.Runs(Platform.A2A3, List.of()));
    }

    @Test
    void allDevicesOfTheMachineCount(@TempDir Path pool) {
        assertThat(here(SERVER, pool).counts())
                .containsEntry(Platform.A2A3, 8)
                .containsEntry(Platform.A5, 0)
                .containsEntry(Platform.A2A3SIM, 4);
        assertThat(here(LAPTOP, pool).counts()).containsEntry(Platform.A2A3, 0);
    }

    private static TestDecision decision(Class<?> type, Machine machine, Path pool) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, type);
        return new Planner(settings(), here(machine, pool), Durations.NONE)
                .plan(root)
                .get(0)
                .tests()
                .get(0)
                .decision();
    }

    private static DevicesHere here(Machine machine, Path pool) {
        PoolSetup setup = PoolSetup.of(machine, Optional.of(pool), Optional.empty(), 4, Optional.empty(), "", Map.of());
        return new PoolReservations(setup, settings(), SessionTime.begin(Optional.empty())).devicesHere();
    }

    private static Settings settings() {
        return Settings.read(key -> Optional.empty(), Set.of());
    }
}
