package org.rankunit.collective.verify.symmetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.schedule.TooManyTasksException;

@Tag("unit")
class OrbitExpressionsTest {

    private static final int RANKS = 1 << 20;

    /** Each reduction is one more node, and an int has numbers for 2047 nodes of so many ranks. */
    @Test
    void moreReductionsThanThereAreNumbersForAreTooManyTasks() {
        OrbitExpressions expressions = new OrbitExpressions(new Shifts(Symmetry.CYCLIC, RANKS));
        int[] sum = {expressions.leaf(0)};
        assertThatExceptionOfType(TooManyTasksException.class)
                .isThrownBy(() -> {
                    for (int rank = 1; rank < RANKS; rank++) {
                        sum[0] = expressions.reduced(sum[0], expressions.leaf(rank));
                        assertThat(sum[0]).isPositive();
                    }
                })
                .withMessage("the results of 1048576 ranks have more than 2047 different reductions");
        assertThat(sum[0] / RANKS).isEqualTo(2046);
    }
}
