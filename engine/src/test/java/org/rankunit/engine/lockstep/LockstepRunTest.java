package org.rankunit.engine.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.link.PlayedRanks;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.TestSelection;

/** What comes of a run whose ranks are played here. */
@Tag("ranks")
@Timeout(60)
class LockstepRunTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final String A = "[engine:junit-jupiter]/[class:C]/[method:a()]";
    private static final String B = "[engine:junit-jupiter]/[class:C]/[method:b()]";

    @TempDir
    private Path folder = Path.of("");

    private final Recorded events = new Recorded();
    private PlayedRanks ranks;

    /** What the run told, one line each. */
    private static final class Recorded implements RankEvents {

        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void registered(int rank, FromRank.Registered registered) {}

        @Override
        public boolean entered(String uniqueId) {
            lines.add("entered " + last(uniqueId));
            return true;
        }

        @Override
        public void started(int rank, String uniqueId) {}

        @Override
        public void ended(int rank, FromRank.Ended ended) {
            String why = ended.outcome() instanceof RankOutcome.Unfinished unfinished
                    ? ": " + unfinished.why().lines().findFirst().orElse("") + "|" + unfinished.standstill()
                    : "";
            lines.add(rank + " " + last(ended.uniqueId()) + " "
                    + ended.outcome().getClass().getSimpleName() + why);
        }

        @Override
        public void shaken(int rank, FromRank.Shaken shaken) {}

        @Override
        public void rounds(int rank, FromRank.Rounds rounds) {}

        @Override
        public void ranCollective(int rank, FromRank.RanCollective ran) {}

        @Override
        public void reported(int rank, FromRank.Reported reported) {}

        @Override
        public void endedOutsideTests(int rank, RankOutcome outcome) {
            lines.add(rank + " outside " + outcome.getClass().getSimpleName());
        }

        @Override
        public void unfit(String why) {
            lines.add("unfit: " + why);
        }

        @Override
        public void parted(String uniqueId) {}

        @Override
        public Set<String> disagreed(Map<Integer, String> next) {
            return Set.of();
        }

        private static String last(String uniqueId) {
            return uniqueId.substring(uniqueId.lastIndexOf(':') + 1).replace("]", "");
        }
    }

    @BeforeEach
    void bringUp() throws IOException {
        ranks = new PlayedRanks(2, folder);
    }

    @AfterEach
    void end() throws IOException {
        List<String> broken = List.copyOf(ranks.broken());
        ranks.close();
        assertThat(broken).isEmpty();
    }

    @Test
    void aRankThatDoesNotReportHowATestEndedIsReplacedAndThatTestFails() throws IOException {
        ranks.play(0, List.of(entering(A), ended(A), entering(B), new FromRank.RunEnded()));
        ranks.play(1, List.of(entering(A), new FromRank.RunEnded()));

        assertThat(run(LONG)).isFalse();
        assertThat(events.lines)
                .containsExactlyInAnyOrder(
                        "entered a()",
                        "0 a() Passed",
                        "1 a() Unfinished: completed all its tests without reporting how this one ended|");
    }

    @Test
    void aRankThatFindsItselfUnfitEntersNoFurtherTestAndFailsNone() throws IOException {
        ranks.play(0, List.of(entering(A), ended(A), entering(B), new FromRank.RunEnded()));
        ranks.play(1, List.of(entering(A), ended(A), new FromRank.Unfit("closed"), new FromRank.RunEnded()));

        assertThat(run(LONG)).isFalse();
        assertThat(events.lines)
                .containsExactlyInAnyOrder("entered a()", "0 a() Passed", "1 a() Passed", "unfit: closed");
    }

    @Test
    void buffersThatAreFilledForLongerThanTheLimitFailTheTestTheyAreFor() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            ranks.play(
                    rank,
                    List.of(entering(A), ended(A)),
                    new FromRank.Whereabouts(B, "filling the buffers of the test with zeros"),
                    new FromRank.Evidence("", "", List.of()));
        }

        assertThat(run(SHORT)).isFalse();
        String late =
                " b() Unfinished: had not ended after 2000 ms (rankunit.test-timeout) while it was filling the buffers of"
                        + " the test with zeros, and was ended; it was at|ranks 0, 1 are filling the buffers of the test with zeros";
        assertThat(events.lines)
                .containsExactlyInAnyOrder("entered a()", "0 a() Passed", "1 a() Passed", "0" + late, "1" + late);
    }

    @Test
    void aRankThatHangsBeforeATestForWhichTheOthersWaitFailsThatTest() throws IOException {
        ranks.play(0, List.of(entering(A)), new FromRank.Evidence("", "", List.of()));
        ranks.play(1, List.of(), new FromRank.Evidence("", "C.java:7", List.of()));

        assertThat(run(SHORT)).isFalse();
        assertThat(events.lines)
                .containsExactly(
                        "1 a() Unfinished: had not ended after 2000 ms (rankunit.test-timeout), and was ended; it was"
                                + " at|rank 0 waits for the others before the next test; rank 1 is at C.java:7, and in no operation"
                                + " of the communicator");
    }

    /** Whether its process is seen to end before the group is closed is a matter of time. */
    @Test
    void theDeviceOfARankThatIsEndedIsSuspectAtOnce() throws IOException {
        ranks.play(0, List.of(entering(A)));
        ranks.play(1, List.of(new FromRank.Entering(A, 3)));

        assertThat(run(SHORT)).isFalse();
        assertThat(ranks.links().all().get(1).suspicion().orElseThrow())
                .startsWith("rank 1 published 3 buffers where 0 were asked for and was ended, see ");
    }

    private static FromRank entering(String uniqueId) {
        return new FromRank.Entering(uniqueId, 0);
    }

    private static FromRank ended(String uniqueId) {
        return new FromRank.Ended(uniqueId, new RankOutcome.Passed(), List.of(), System.nanoTime(), 0);
    }

    private boolean run(Duration testTimeout) throws IOException {
        List<TestSelection> tests = List.of(
                new TestSelection(A, List.of(A), List.of(), TestDeclaration.plain(A, 2)),
                new TestSelection(B, List.of(B), List.of(), TestDeclaration.plain(B, 2)));
        return new LockstepRun(ranks.links(), limits(testTimeout), tests, events).run();
    }

    private static TimeLimits limits(Duration testTimeout) {
        return new TimeLimits(
                Duration.ofMillis(1), LONG, LONG, testTimeout, SessionTime.begin(Optional.empty()), false);
    }
}
