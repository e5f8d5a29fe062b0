package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceChoiceTest {

    private static final List<Integer> EIGHT = List.of(0, 1, 2, 3, 4, 5, 6, 7);

    @Test
    void theLowestRunOfNeighboursIsPreferred() {
        assertThat(DeviceChoice.choose(EIGHT, 2, Set.of(0, 2, 5, 6, 7)::contains))
                .contains(List.of(5, 6));
    }

    @Test
    void withoutARunTheLowestAreTaken() {
        assertThat(DeviceChoice.choose(EIGHT, 3, Set.of(0, 2, 3, 5, 6)::contains))
                .contains(List.of(0, 2, 3));
        assertThat(DeviceChoice.choose(List.of(1, 3, 5), 2, device -> true)).contains(List.of(1, 3));
    }

    @Test
    void withTooFewThereIsNoneAndEachWasAskedForOnce() {
        List<Integer> asked = new ArrayList<>();
        assertThat(DeviceChoice.choose(EIGHT, 3, device -> asked.add(device) && device % 4 == 1))
                .isEmpty();
        assertThat(asked).containsExactlyInAnyOrderElementsOf(EIGHT);
    }

    @Test
    void noMoreAreAskedForThanTheChoiceTakes() {
        List<Integer> asked = new ArrayList<>();
        assertThat(DeviceChoice.choose(EIGHT, 2, asked::add)).contains(List.of(0, 1));
        assertThat(asked).containsExactly(0, 1);
    }
}
