package org.rankunit.distributed.pe.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CostsTest {

    private static final Speed MEMORY = new Speed(1, 1);
    private static final Costs COSTS =
            new Costs(MEMORY, MEMORY, MEMORY, new Speed(10, 8), new Speed(100, 4), new Speed(1000, 2), 0, 1, 1, 0);

    @Test
    void insideACubeAPathIsOneLink() {
        assertThat(COSTS.path(new PePlace(0, 1, 1, 0), new PePlace(0, 1, 1, 3))).isEqualTo(new Speed(10, 8));
    }

    @Test
    void insideASipEveryCubeOnTheWayIsAnotherLink() {
        assertThat(COSTS.path(new PePlace(0, 0, 2, 0), new PePlace(0, 3, 1, 0))).isEqualTo(new Speed(410, 4));
    }

    @Test
    void betweenSipsThePathGoesByTheFirstCubeOfBoth() {
        assertThat(COSTS.path(new PePlace(0, 0, 0, 0), new PePlace(1, 0, 0, 0))).isEqualTo(new Speed(1010, 2));
        assertThat(COSTS.path(new PePlace(0, 2, 1, 0), new PePlace(1, 0, 3, 0))).isEqualTo(new Speed(1610, 2));
    }

    @Test
    void impossibleSpeedsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Speed(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Speed(0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Speed(Double.NaN, 1));
    }
}
