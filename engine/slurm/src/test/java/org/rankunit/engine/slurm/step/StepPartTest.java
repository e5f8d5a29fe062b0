package org.rankunit.engine.slurm.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.protocol.DeviceRef;

@Tag("unit")
class StepPartTest {

    @Test
    void eachNodeHasAStep() {
        assertThat(StepPart.onePerNode(devices(2, 2, 1)))
                .containsExactly(
                        new StepPart(0, List.of("a"), 2),
                        new StepPart(2, List.of("b"), 2),
                        new StepPart(4, List.of("c"), 1));
    }

    @Test
    void nodesKeepTheOrderOfTheRanks() {
        List<DeviceRef> devices = List.of(new DeviceRef("z", 0), new DeviceRef("y", 5));

        assertThat(StepPart.together(devices)).isEqualTo(new StepPart(0, List.of("z", "y"), 1));
        assertThat(StepPart.onePerNode(devices))
                .containsExactly(new StepPart(0, List.of("z"), 1), new StepPart(1, List.of("y"), 1));
    }

    @Test
    void evenSharesCanHaveOneStepTogether() {
        StepPart part = StepPart.together(devices(2, 2));

        assertThat(part).isEqualTo(new StepPart(0, List.of("a", "b"), 2));
        assertThat(part.ranks()).isEqualTo(4);
    }

    @Test
    void unevenSharesCannot() {
        assertThatThrownBy(() -> StepPart.together(devices(2, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be spread evenly over its nodes, and they are {a=2, b=1}");
    }

    @RepeatedTest(200)
    void everyRankIsInOneStepAndOnItsNodeThere(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int[] shares = random.ints(1 + random.nextInt(5), 1, 5).toArray();
        List<DeviceRef> devices = devices(shares);

        List<StepPart> parts = StepPart.onePerNode(devices);

        List<String> nodes = new ArrayList<>();
        for (StepPart part : parts) {
            assertThat(part.firstRank()).isEqualTo(nodes.size());
            for (int task = 0; task < part.ranks(); task++) {
                // Slurm distributes tasks in blocks.
                nodes.add(part.nodes().get(task / part.ranksPerNode()));
            }
        }
        assertThat(nodes).isEqualTo(devices.stream().map(DeviceRef::node).toList());
    }

    /** So many devices of nodes a, b, c and so on. */
    private static List<DeviceRef> devices(int... shares) {
        List<DeviceRef> devices = new ArrayList<>();
        for (int node = 0; node < shares.length; node++) {
            for (int id = 0; id < shares[node]; id++) {
                devices.add(new DeviceRef(String.valueOf((char) ('a' + node)), id));
            }
        }
        return devices;
    }
}
