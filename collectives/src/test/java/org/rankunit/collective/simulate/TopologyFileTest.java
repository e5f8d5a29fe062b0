package org.rankunit.collective.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.pairs.BatchSendRecv;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.yaml.YamlException;

@Tag("unit")
class TopologyFileTest {

    /** Servers of 2 ranks, racks of 2 servers; latencies of 1, 10 and 100 us, ports of 1 byte/us. */
    private static final String THREE_LEVELS = """
            levels:
              - {name: server, members: 2, latency_us: 1, bandwidth_gbps: 0.001}
              - {name: rack, members: 2, latency_us: 10, bandwidth_gbps: 0.001, ports: 1, duplex: true}
              - {name: hall, latency_us: 100, bandwidth_gbps: 0.001, oversubscription: 4}
            """;

    private static Topology parsed(String text) {
        return TopologyFile.parse("topology.yaml", text);
    }

    @Test
    void levelsHaveLinksMembersAndOversubscription() {
        Topology topology = parsed(THREE_LEVELS + "costs: {task_us: 2, copy_gbps: 5, reduction_gbps: 4}\n");
        assertThat(topology.levels())
                .extracting(Level::name, Level::members, Level::oversubscription)
                .containsExactly(tuple("server", 2, 1.0), tuple("rack", 2, 1.0), tuple("hall", 0, 4.0));
        assertThat(topology.inside().latency()).isEqualTo(1e-6);
        assertThat(topology.between()).isEqualTo(new LinkModel(10 * 1e-6, 0.001 * 1e9, 1, true));
        assertThat(topology.task()).isEqualTo(2e-6);
        assertThat(topology.copyBandwidth()).isEqualTo(5e9);
        assertThat(topology.reduction()).isEqualTo(1 / 4e9);
    }

    /** One message of 8 bytes from rank 0. */
    private static double microseconds(int to) {
        Long[] counts = new Long[64];
        Arrays.fill(counts, 0L);
        counts[to] = 8L;
        CollectiveCall call = CollectiveCall.of(Collective.SEND_RECV, 8, DType.INT8, 0)
                .withCounts(List.of(counts))
                .withRanksPerServer(2);
        Schedule schedule = Schedule.of(new BatchSendRecv(), call);
        return Simulation.of(schedule, parsed(THREE_LEVELS)).seconds() * 1e6;
    }

    /** 8 us for 8 bytes, and the latency of the level at which both ranks are in one group. */
    @Test
    void everyLevelHasItsOwnLatency() {
        assertThat(microseconds(1)).isEqualTo(9, within(1e-9));
        assertThat(microseconds(2)).isEqualTo(18, within(1e-9));
        assertThat(microseconds(4)).isEqualTo(108, within(1e-9));
    }

    /** All four ranks of the first rack send 8 bytes to the other one: its uplink carries one transfer at a time. */
    @Test
    void anOversubscribedUplinkCarriesOneTransferAfterTheOther() {
        Long[] counts = new Long[64];
        Arrays.fill(counts, 0L);
        for (int rank = 0; rank < 4; rank++) {
            counts[(rank * 8) + rank + 4] = 8L;
        }
        CollectiveCall call = CollectiveCall.of(Collective.SEND_RECV, 8, DType.INT8, 0)
                .withCounts(List.of(counts))
                .withRanksPerServer(2);
        Simulation simulation = Simulation.of(Schedule.of(new BatchSendRecv(), call), parsed(THREE_LEVELS));
        assertThat(simulation.seconds() * 1e6).isEqualTo((4 * 8) + 100, within(1e-9));
        assertThat(simulation.ports())
                .filteredOn(port -> port.kind() == PortKind.UPLINK)
                .extracting(PortUse::level, PortUse::group, PortUse::bytes)
                .containsExactly(tuple(0, 0, 16L), tuple(0, 1, 16L), tuple(1, 0, 32L));
    }

    @Test
    void twoLevelsAreWhatServersAre() {
        Topology file = parsed("""
                levels:
                  - {name: server, members: 4, latency_us: 2, bandwidth_gbps: 56}
                  - {name: all, latency_us: 5, bandwidth_gbps: 25, oversubscription: 2}
                """);
        Topology servers = new Topology(
                new LinkModel(2 * 1e-6, 56 * 1e9, 1, true),
                new LinkModel(5 * 1e-6, 25 * 1e9, 1, true),
                2,
                0,
                Double.POSITIVE_INFINITY,
                0);
        CollectiveAlgorithm algorithm = new RingAllReduce();
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 16, DType.FLOAT32, 4096)
                .withRanksPerServer(4);
        Schedule schedule = Schedule.of(algorithm, call);
        assertThat(Simulation.of(schedule, file).ends())
                .isEqualTo(Simulation.of(schedule, servers).ends());
    }

    private static void refused(String text, String message) {
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> parsed(text))
                .withMessage(message);
    }

    @Test
    void whatCannotBeIsRefusedWithThePlace() {
        refused("levels: []\n", "topology.yaml, line 1, column 9: levels: a machine has at least one level");
        refused(
                "levels: [{name: a, bandwidth_gbps: 1}]\n",
                "topology.yaml, line 1, column 10: the key \"levels[0].latency_us\" is missing");
        refused(
                THREE_LEVELS.replace("{name: hall", "{members: 3, name: hall"),
                "topology.yaml, line 4, column 15: levels[2].members: the outermost level has all members, however many"
                        + " there are");
        refused(
                THREE_LEVELS.replace("members: 2, latency_us: 1,", "members: 2, latency_us: 1, oversubscription: 2,"),
                "topology.yaml, line 2, column 65: levels[0].oversubscription: the innermost level has no uplinks below"
                        + " it");
        refused(
                THREE_LEVELS.replace("latency_us: 10,", "latency: 10,"),
                "topology.yaml, line 3, column 30: there is no key \"levels[1].latency\"; allowed here are name, members,"
                        + " latency_us, bandwidth_gbps, ports, duplex, oversubscription");
        refused(
                THREE_LEVELS.replace("oversubscription: 4", "oversubscription: 0.5"),
                "topology.yaml, line 4, column 76: levels[2].oversubscription: \"0.5\" is not a number of at least 1");
    }
}
