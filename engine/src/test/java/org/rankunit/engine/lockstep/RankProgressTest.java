package org.rankunit.engine.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
class RankProgressTest {

    private final RankProgress progress = new RankProgress();

    @Test
    void aRankIsInsideOfATestFromTheAnswerToItsEnd() {
        progress.begin();
        progress.ask("a");
        assertThat(progress.waitsFor()).isEqualTo("a");
        assertThat(progress.isOutsideOfTests()).isTrue();

        assertThat(progress.answer(true)).isEqualTo("a");
        assertThat(progress.waitsFor()).isNull();
        assertThat(progress.isInside("a")).isTrue();

        progress.end("a");
        assertThat(progress.isOutsideOfTests()).isTrue();
    }

    @Test
    void aRankThatWasRefusedIsInsideOfNothing() {
        progress.ask("a");

        progress.answer(false);

        assertThat(progress.isOutsideOfTests()).isTrue();
    }

    @Test
    void theInnermostTestIsLeftFirst() {
        progress.ask("factory");
        progress.answer(true);
        progress.ask("factory/dynamic");
        progress.answer(true);

        assertThat(progress.leaveAll()).containsExactly("factory/dynamic", "factory");
        assertThat(progress.isOutsideOfTests()).isTrue();
    }

    @Test
    void aRankThatHasFinishedWaitsForNothingAndAsksForNothing() {
        progress.ask("a");
        progress.finish();

        assertThat(progress.waitsFor()).isNull();
        assertThatIllegalStateException().isThrownBy(() -> progress.ask("b"));
    }

    @Test
    void aRankThatHasHungUpCanOnlyFinish() {
        progress.hangUp("closed its control channel");

        assertThat(progress.howItHungUp()).isEqualTo("closed its control channel");
        assertThatIllegalStateException().isThrownBy(() -> progress.ask("a"));
        progress.finish();
        assertThat(progress.isFinished()).isTrue();
    }

    @Test
    void nobodyIsAnsweredWhoHasNotAsked() {
        assertThatIllegalStateException().isThrownBy(() -> progress.answer(true));
    }

    @ParameterizedTest
    @EnumSource
    void fromEveryStateARankCanFinishOnce(RankState state) {
        assertThat(state.mayBecome(RankState.FINISHED)).isEqualTo(state != RankState.FINISHED);
    }
}
