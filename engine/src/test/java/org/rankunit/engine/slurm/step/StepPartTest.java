package org.rankunit.engine.slurm.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.control.place.DeviceRef;

class StepPartTest {

    @Test
    void evenSharesAreOneStep() {
        assertThat(StepPart.of(devices(2, 2))).containsExactly(new StepPart(0, List.of("a", "b"), 2));
        assertThat(StepPart.of(devices(3))).containsExactly(new StepPart(0, List.of("a"), 3));
    }

    @Test
    void unevenSharesAreOneStepForEachNode() {
        assertThat(StepPart.of(devices(2, 2, 1)))
                .containsExactly(
                        new StepPart(0, List.of("a"), 2),
                        new StepPart(2, List.of("b"), 2),
                        new StepPart(4, List.of("c"), 1));
    }

    @Test
    void nodesKeepTheOrderOfTheRanks() {
        List<DeviceRef> devices = List.of(new DeviceRef("z", 0), new DeviceRef("y", 5));

        assertThat(StepPart.of(devices)).containsExactly(new StepPart(0, List.of("z", "y"), 1));
    }

    @Test
    void aStepHasTheRanksFromItsFirstOn() {
        StepPart part = new StepPart(2, List.of("a", "b"), 2);

        assertThat(part.ranks()).isEqualTo(4);
        assertThat(IntStream.range(0, 10).filter(part::has)).containsExactly(2, 3, 4, 5);
    }

    @RepeatedTest(200)
    void everyRankIsInOneStepAndOnItsNodeThere(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int most = 1 + random.nextInt(4);
        int[] shares = random.ints(1 + random.nextInt(5), 1, most + 1).toArray();
        List<DeviceRef> devices = devices(shares);

        List<StepPart> parts = StepPart.of(devices);

        assertThat(parts.stream().mapToInt(StepPart::ranks).sum()).isEqualTo(devices.size());
        for (int rank = 0; rank < devices.size(); rank++) {
            int each = rank;
            List<StepPart> having =
                    parts.stream().filter(part -> part.has(each)).toList();
            assertThat(having).hasSize(1);
            StepPart part = having.get(0);
            // Slurm distributes tasks in blocks.
            assertThat(part.nodes().get((rank - part.firstRank()) / part.ranksPerNode()))
                    .isEqualTo(devices.get(rank).node());
        }
        boolean isEven = IntStream.of(shares).distinct().count() == 1;
        assertThat(parts).hasSize(isEven ? 1 : shares.length);
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
