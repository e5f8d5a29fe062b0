package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Tests on devices some of which are at fault. They need a kernel "nothing". */
public final class DeviceFaultCases {

    private DeviceFaultCases() {}

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Launching {

        @Test
        void aLaunches(RankContext rank) {
            rank.kernel("nothing").launch();
            rank.barrier();
        }

        @Test
        void bPasses(RankContext rank) {
            rank.barrier();
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void cLaunches(int number, RankContext rank) {
            rank.kernel("nothing").launch();
            rank.barrier();
        }
    }

    @DeviceCount(2)
    public static class CleaningUp {

        @AfterEach
        void launch(RankContext rank) {
            rank.kernel("nothing").launch();
        }

        @Test
        void launches(RankContext rank) {
            rank.kernel("nothing").launch();
        }
    }

    @DeviceCount(2)
    public static class Asserting {

        @Test
        void takesTheFaultForAWrongResult(RankContext rank) {
            assertThatCode(() -> rank.kernel("nothing").launch()).doesNotThrowAnyException();
        }

        @Test
        void isWrong(RankContext rank) {
            assertThat(rank.rank()).isZero();
        }
    }
}
