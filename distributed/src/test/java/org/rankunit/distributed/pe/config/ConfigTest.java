package org.rankunit.distributed.pe.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.collective.yaml.YamlException;
import org.rankunit.distributed.TestMachines;
import org.rankunit.distributed.pe.MemorySpace;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.algorithms.TreeAllReduce;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.MachineShape;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.QueueSettings.Backpressure;
import org.rankunit.distributed.pe.machine.Speed;

@Tag("unit")
class ConfigTest {

    private static final String SHAPE = """
            system: {sips: {count: 2}}
            sip: {cube_mesh: {w: 3, h: 4}}
            cube: {pe_layout: {pe_per_corner: 5, corners: 4}}
            """;

    @Test
    void aMachineHasItsShapeAndAssumedCosts() {
        MachineConfig config = MachineConfig.parse("topology.yaml", SHAPE);
        assertThat(config.shape()).isEqualTo(new MachineShape(2, 3, 4, 5, 4));
        assertThat(config.shape().pes()).isEqualTo(480);
        assertThat(config.costs()).isEqualTo(Costs.assumed());
    }

    @Test
    void costsThatAreGivenReplaceTheAssumedOnes() {
        Costs costs = MachineConfig.parse("topology.yaml", SHAPE + """
                                memory: {hbm: {latency_ns: 7, bandwidth_gbps: 9.5}}
                                links: {sip: {latency_ns: 3}}
                                costs: {poll_ns: 11, issue_ns: 0}
                                """).costs();
        assertThat(costs.hbm()).isEqualTo(new Speed(7, 9.5));
        assertThat(costs.sip()).isEqualTo(new Speed(3, Costs.assumed().sip().bandwidth()));
        assertThat(costs.poll()).isEqualTo(11);
        assertThat(costs.issue()).isZero();
        assertThat(costs.tcm()).isEqualTo(Costs.assumed().tcm());
    }

    @Test
    void anAlgorithmHasItsEntryAndTheDefaults() {
        CclConfig.Entry entry = TestMachines.ccl().named("tree_allreduce_7");
        assertThat(entry.algorithm()).isInstanceOf(TreeAllReduce.class);
        assertThat(entry.topology()).isEqualTo(PeTopology.TREE_BINARY);
        assertThat(entry.worldSize()).contains(7);
        assertThat(entry.nElem()).isEqualTo(32);
        assertThat(entry.queues()).isEqualTo(QueueSettings.standard());
        assertThat(TestMachines.ccl().defaultAlgorithm()).contains("ring_allreduce_tcm");
        assertThat(TestMachines.ccl().named("ring_allreduce_sram").queues().slotsIn())
                .isEqualTo(MemorySpace.SRAM);
    }

    @Test
    void defaultsAreForAllAlgorithms() {
        CclConfig config = CclConfig.parse("ccl.yaml", """
                defaults: {buffer_kind: hbm, backpressure: poll, n_slots: 2, slot_size: 64, ipcq_credit_size_bytes: 8}
                algorithms:
                  one: {module: org.rankunit.distributed.pe.algorithms.HelloSend, topology: ring_1d, n_elem: 7}
                """);
        assertThat(config.named("one").queues())
                .isEqualTo(new QueueSettings(MemorySpace.HBM, Backpressure.POLL, 2, 64, 8));
        assertThat(config.named("one").nElem()).isEqualTo(7);
        assertThat(config.named("one").worldSize()).isEmpty();
        assertThat(config.defaultAlgorithm()).isEmpty();
    }

    private static void refused(Runnable read, String message) {
        assertThatExceptionOfType(YamlException.class).isThrownBy(read::run).withMessage(message);
    }

    private static void machineRefused(String text, String message) {
        refused(() -> MachineConfig.parse("topology.yaml", text), message);
    }

    private static void cclRefused(String text, String message) {
        refused(() -> CclConfig.parse("ccl.yaml", text), message);
    }

    @Test
    void aMachineThatCannotBeIsRefusedWithThePlace() {
        machineRefused(
                SHAPE.replace("count: 2", "count: 0"),
                "topology.yaml, line 1, column 24: system.sips.count: \"0\" is not a whole number from 1 to 65536");
        machineRefused(
                SHAPE.replace("w: 3", "width: 3"),
                "topology.yaml, line 2, column 19: there is no key \"sip.cube_mesh.width\"; allowed here are w, h");
        machineRefused(
                "system: {sips: {count: 1}}\nsip: {cube_mesh: {w: 1, h: 1}}\n",
                "topology.yaml, line 1, column 1: the key \"cube\" is missing");
        machineRefused(
                SHAPE.replace("w: 3", "w: 3000").replace("h: 4", "h: 3000"),
                "topology.yaml, line 1, column 9: system: a machine of 2 SIPs of 3000 x 3000 cubes of 20 PEs has more"
                        + " than 65536 PEs");
        machineRefused(
                SHAPE + "links: {pe: {bandwidth_gbps: 0}}\n",
                "topology.yaml, line 4, column 30: links.pe.bandwidth_gbps: \"0\" is not a number above 0");
    }

    @Test
    void algorithmsThatCannotBeAreRefusedWithThePlace() {
        String entry =
                "algorithms:\n  one: {module: org.rankunit.distributed.pe.algorithms.HelloSend, topology: ring_1d}\n";
        cclRefused(
                "defaults: {n_slot: 4}\n" + entry,
                "ccl.yaml, line 1, column 12: there is no key \"defaults.n_slot\"; allowed here are algorithm,"
                        + " buffer_kind, backpressure, n_slots, slot_size, ipcq_credit_size_bytes");
        cclRefused(
                "defaults: {buffer_kind: dram}\n" + entry,
                "ccl.yaml, line 1, column 25: defaults.buffer_kind: \"dram\" is not one of tcm, hbm, sram");
        cclRefused(
                "defaults: {algorithm: two}\n" + entry,
                "ccl.yaml, line 1, column 23: defaults.algorithm: \"two\" is not one of one");
        cclRefused(
                entry.replace("ring_1d", "torus"),
                "ccl.yaml, line 2, column 77: algorithms.one.topology: \"torus\" is not one of ring_1d, mesh_2d,"
                        + " tree_binary");
        cclRefused(
                entry.replace(", topology: ring_1d", ""),
                "ccl.yaml, line 2, column 8: the key \"algorithms.one.topology\" is missing");
        cclRefused(
                entry.replace("HelloSend", "Hello"),
                "ccl.yaml, line 2, column 17: algorithms.one.module: there is no class"
                        + " org.rankunit.distributed.pe.algorithms.Hello on the class path");
        cclRefused(
                entry.replace("org.rankunit.distributed.pe.algorithms.HelloSend", "java.lang.String"),
                "ccl.yaml, line 2, column 17: algorithms.one.module: class java.lang.String is not a PeAlgorithm");
        cclRefused("defaults: {}\n", "ccl.yaml, line 1, column 1: the key \"algorithms\" is missing");
    }
}
