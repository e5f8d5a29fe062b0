package org.rankunit.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.protocol.DeviceRef;

@Tag("ranks")
class SilenceTest {

    private static final long LIMIT = 1000;

    /** Its values overflow during the tests, as those of a real clock may. */
    private long now = Long.MAX_VALUE - LIMIT / 2;

    private final Silence silence = new Silence(Duration.ofNanos(LIMIT), () -> now);

    private RankLink first;
    private RankLink second;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        first = link(0, folder);
        second = link(1, folder);
    }

    @AfterEach
    void end() {
        first.process().kill();
        second.process().kill();
    }

    @Test
    void aRankIsOverdueOnceItWasSilentForTheWholeLimit() {
        silence.heard(first);

        now += LIMIT - 1;
        assertThat(silence.overdue()).isEmpty();
        now++;
        assertThat(silence.overdue()).containsExactly(first);
    }

    @Test
    void aRankThatWasNeverHeardIsNotOverdue() {
        now += 10 * LIMIT;

        assertThat(silence.overdue()).isEmpty();
    }

    @Test
    void everySignOfARankBeginsItsTimeAgain() {
        silence.heard(first);
        silence.heard(second);
        now += LIMIT - 1;
        silence.heard(first);
        now++;

        assertThat(silence.overdue()).containsExactly(second);
    }

    @Test
    void theNodeOfASilentRankIsAskedOnceInEachLimit() {
        silence.heard(first);
        now += LIMIT;

        assertThat(silence.overdue()).containsExactly(first);
        assertThat(silence.overdue()).isEmpty();
        now += LIMIT;
        assertThat(silence.overdue()).containsExactly(first);
    }

    @Test
    void aForgottenRankIsNeverOverdue() {
        silence.heard(first);
        silence.heard(second);
        silence.forget(first);
        now += LIMIT;

        assertThat(silence.overdue()).containsExactly(second);
    }

    @Test
    void theNextLookIsWhenTheFirstRankWouldBeOverdue() {
        long begin = now;
        silence.heard(first);
        now += 10;
        silence.heard(second);

        assertThat(silence.nextBefore(begin + 2 * LIMIT)).isEqualTo(begin + LIMIT);
        silence.forget(first);
        assertThat(silence.nextBefore(begin + 2 * LIMIT)).isEqualTo(begin + 10 + LIMIT);
    }

    @Test
    void theNextLookIsNotAfterTheGivenTime() {
        long begin = now;
        assertThat(silence.nextBefore(begin + 5)).isEqualTo(begin + 5);
        silence.heard(first);

        assertThat(silence.nextBefore(begin + 5)).isEqualTo(begin + 5);
    }

    private static RankLink link(int rank, Path folder) throws IOException {
        return new RankLink(new PlayedProcess(rank, new DeviceRef("node1", rank), folder, PlayedProcess.News.NEVER));
    }
}
