package org.rankunit.engine.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.link.PlayedRanks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;

@Tag("ranks")
@Timeout(60)
class BringUpCauseTest {

    private static FromRank failed(int because) {
        Failure cause = new Failure("CommException", "told", false, null, null, List.of(), null, List.of());
        return new FromRank.BringUpFailed("bringing up the communicator", cause, 0, because);
    }

    @Test
    void aRankThatWasKilledIsTheCauseThoughItsPeersTellOfItFirst(@TempDir Path folder) throws IOException {
        try (PlayedRanks ranks = new PlayedRanks(4, folder)) {
            ranks.say(2, failed(1));
            RankSignal first = ranks.next();
            ranks.say(3, failed(1));
            ranks.kill(2);
            ranks.kill(1);

            assertThat(BringUpCause.of(first, ranks.links())).isInstanceOfSatisfying(RankSignal.Gone.class, gone -> {
                assertThat(gone.link().rank()).isEqualTo(1);
                assertThat(gone.status().isKill()).isTrue();
            });
        }
    }

    @Test
    void aRankThatFailedForAnotherIsNotTheCauseEither(@TempDir Path folder) throws IOException {
        try (PlayedRanks ranks = new PlayedRanks(3, folder)) {
            ranks.say(2, failed(1));
            RankSignal first = ranks.next();
            ranks.say(1, failed(0));
            ranks.say(0, failed(-1));

            assertThat(BringUpCause.of(first, ranks.links()).link().rank()).isZero();
        }
    }

    @Test
    void whoFailsByItselfIsTheCause(@TempDir Path folder) throws IOException {
        try (PlayedRanks ranks = new PlayedRanks(2, folder)) {
            ranks.say(1, failed(-1));
            RankSignal first = ranks.next();
            ranks.kill(0);

            assertThat(BringUpCause.of(first, ranks.links())).isSameAs(first);
            assertThat(BringUpCause.blamed(first)).isEmpty();
        }
    }

    @Test
    void whoBlamesARankThatIsNeverHeardOfIsAllThatIsKnown(@TempDir Path folder) throws IOException {
        try (PlayedRanks ranks = new PlayedRanks(2, folder)) {
            ranks.say(1, failed(0));
            RankSignal first = ranks.next();

            assertThat(BringUpCause.of(first, ranks.links())).isSameAs(first);
            assertThat(BringUpCause.blamed(first)).hasValue(0);
        }
    }
}
