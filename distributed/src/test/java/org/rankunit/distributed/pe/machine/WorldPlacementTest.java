package org.rankunit.distributed.pe.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.distributed.pe.machine.WorldPlacement.Spread;

@Tag("unit")
class WorldPlacementTest {

    /** 2 SIPs of 2 x 3 cubes of 4 PEs: 48. */
    private static final MachineShape SHAPE = new MachineShape(2, 2, 3, 1, 4);

    @Test
    void aSmallWorldIsInOneCube() {
        assertThat(WorldPlacement.of(SHAPE, 3).places())
                .containsExactly(new PePlace(0, 0, 0, 0), new PePlace(0, 0, 0, 1), new PePlace(0, 0, 0, 2));
    }

    @Test
    void aLargerWorldTakesWholeCubesColumnByColumn() {
        WorldPlacement placement = WorldPlacement.of(SHAPE, 16);
        assertThat(placement.place(4)).isEqualTo(new PePlace(0, 0, 1, 0));
        assertThat(placement.place(8)).isEqualTo(new PePlace(0, 0, 2, 0));
        assertThat(placement.place(12)).isEqualTo(new PePlace(0, 1, 0, 0));
    }

    @Test
    void beyondASipEverySipHasAsManyCubes() {
        WorldPlacement placement = WorldPlacement.of(SHAPE, 32);
        assertThat(placement.place(15)).isEqualTo(new PePlace(0, 1, 0, 3));
        assertThat(placement.place(16)).isEqualTo(new PePlace(1, 0, 0, 0));
        assertThat(WorldPlacement.of(SHAPE, 48).place(47)).isEqualTo(new PePlace(1, 1, 2, 3));
    }

    @Test
    void everyRankHasItsOwnColumns() {
        WorldPlacement placement = WorldPlacement.of(SHAPE, 8);
        assertThat(placement.parts()).isEqualTo(8);
        assertThat(placement.partOf()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void replicatedMembersHaveTheSameColumns() {
        WorldPlacement overCubes =
                WorldPlacement.grid(SHAPE, 2, 2, 2, Spread.COLUMN_WISE, Spread.REPLICATED, Spread.COLUMN_WISE);
        assertThat(overCubes.parts()).isEqualTo(4);
        assertThat(overCubes.partOf()).containsExactly(0, 1, 0, 1, 2, 3, 2, 3);
        WorldPlacement all =
                WorldPlacement.grid(SHAPE, 2, 2, 2, Spread.REPLICATED, Spread.REPLICATED, Spread.REPLICATED);
        assertThat(all.parts()).isEqualTo(1);
        assertThat(all.partOf()).containsOnly(0).hasSize(8);
    }

    @Test
    void someMembersHaveNumbersOfTheirOwn() {
        WorldPlacement some = WorldPlacement.of(SHAPE, 8).subset(List.of(7, 2));
        assertThat(some.places()).containsExactly(new PePlace(0, 0, 1, 3), new PePlace(0, 0, 0, 2));
        assertThat(some.partOf()).containsExactly(0, 1);
    }

    @Test
    void whatIsNotOnTheMachineIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorldPlacement.of(SHAPE, 49))
                .withMessage("a world of 49 PEs is not on a machine of 2 SIPs of 2 x 3 cubes of 4 PEs, which has 48");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorldPlacement.of(SHAPE, 0))
                .withMessage("a world of 0 PEs is not on a machine of 2 SIPs of 2 x 3 cubes of 4 PEs, which has 48");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorldPlacement.of(SHAPE, 5))
                .withMessage("a world of 5 PEs does not fill whole cubes of 4 PEs; 4 or 8 would");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorldPlacement.of(SHAPE, 28))
                .withMessage("a world of 28 PEs has 7 cubes, which 2 SIPs cannot share equally");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        WorldPlacement.grid(SHAPE, 3, 1, 1, Spread.COLUMN_WISE, Spread.COLUMN_WISE, Spread.COLUMN_WISE))
                .withMessage("3 SIPs of 1 cubes of 1 PEs are not on a machine of 2 SIPs of 2 x 3 cubes of 4 PEs");
    }
}
