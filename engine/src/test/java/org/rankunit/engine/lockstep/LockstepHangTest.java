package org.rankunit.engine.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.link.PlayedRanks;
import org.rankunit.engine.protocol.CommOperation;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.ToRank;

/** What comes of the words of ranks, in orders that real ranks keep to only now and then. */
@Tag("ranks")
@Timeout(60)
class LockstepHangTest {

    private static final String TEST = "[engine:junit-jupiter]/[class:A]/[method:m()]";
    private static final String NEXT = "[engine:junit-jupiter]/[class:A]/[method:n()]";

    @TempDir
    Path folder;

    private final Ends ends = new Ends();

    /** Notes how tests end. */
    private static final class Ends implements RankEvents {

        final List<String> besides = new ArrayList<>();
        final SortedMap<Integer, RankOutcome> ofTest = new TreeMap<>();

        @Override
        public void registered(int rank, FromRank.Registered registered) {}

        @Override
        public boolean entered(String uniqueId) {
            return true;
        }

        @Override
        public void started(int rank, String uniqueId) {}

        @Override
        public void ended(int rank, FromRank.Ended ended) {
            if (ended.uniqueId().equals(TEST)) {
                ofTest.put(rank, ended.outcome());
            }
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
            besides.add("rank " + rank + " " + outcome);
        }

        @Override
        public void parted(String uniqueId) {
            besides.add("parted in " + uniqueId);
        }

        @Override
        public void unfit(String why) {
            besides.add("unfit: " + why);
        }

        @Override
        public Set<String> disagreed(Map<Integer, String> next) {
            besides.add("disagreed " + next);
            return Set.of();
        }
    }

    private CompletableFuture<Boolean> start(PlayedRanks ranks, int count) throws IOException {
        LockstepRun run = new LockstepRun(
                ranks.links(),
                limits(),
                List.of(
                        new TestSelection(TEST, List.of(TEST), List.of(), TestDeclaration.plain(TEST, 2)),
                        new TestSelection(NEXT, List.of(NEXT), List.of(), TestDeclaration.plain(NEXT, 2))),
                ends);
        CompletableFuture<Boolean> sound = CompletableFuture.supplyAsync(() -> {
            try {
                return run.run();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        for (int rank = 0; rank < count; rank++) {
            ranks.say(rank, new FromRank.Begun());
            ranks.say(rank, new FromRank.Entering(TEST, 0));
        }
        for (int rank = 0; rank < count; rank++) {
            hear(ranks, rank, ToRank.Enter.class);
        }
        return sound;
    }

    private static TimeLimits limits() {
        Duration patience = Duration.ofSeconds(30);
        return new TimeLimits(patience, patience, patience, patience, SessionTime.begin(Optional.empty()), false);
    }

    private static <T extends ToRank> T hear(PlayedRanks ranks, int rank, Class<T> type) throws IOException {
        ToRank message = ranks.hear(rank);
        while (!type.isInstance(message)) {
            message = ranks.hear(rank);
        }
        return type.cast(message);
    }

    private static CommOperation barrier(String state) {
        return new CommOperation("barrier", 1, 0, List.of(), 0, false, state, 1, "A.java:5");
    }

    private static FromRank evidence(String place, CommOperation... operations) {
        return new FromRank.Evidence("    at A.m(" + place + ")\n", place, List.of(operations));
    }

    private static FromRank.Ended ended(RankOutcome outcome) {
        return new FromRank.Ended(TEST, outcome, List.of(), System.nanoTime(), 0);
    }

    private static Failure failure(String message) {
        return new Failure("CommException", message, false, null, null, List.of(), null, List.of());
    }

    @Test
    void aRankThatIsReleasedAndThroughBeforeTheOneThatGaveUpSaysSoIsInThePictureToo() throws Exception {
        try (PlayedRanks ranks = new PlayedRanks(3, folder)) {
            CompletableFuture<Boolean> sound = start(ranks, 3);
            ranks.say(2, ended(new RankOutcome.Released(1, failure("released"), "barrier #1 (A.java:5)")));
            ranks.say(2, new FromRank.RunEnded());
            hear(ranks, 0, ToRank.Release.class);

            ranks.say(0, evidence("A.java:5", barrier(CommOperation.FAILED)));
            for (int rank = 1; rank < 3; rank++) {
                hear(ranks, rank, ToRank.ShowEvidence.class);
            }
            ranks.say(2, evidence("", barrier(CommOperation.RELEASED)));
            ranks.say(1, evidence("A.java:9"));
            ranks.say(0, ended(new RankOutcome.Failed(failure("late"))));
            ranks.say(1, ended(new RankOutcome.Released(1, failure("released"))));
            ranks.say(0, new FromRank.RunEnded());
            ranks.say(1, new FromRank.RunEnded());

            assertThat(sound.get(20, TimeUnit.SECONDS)).isFalse();
            assertThat(ends.besides).isEmpty();
            assertThat(ends.ofTest.get(0))
                    .isInstanceOfSatisfying(
                            RankOutcome.Failed.class,
                            failed -> assertThat(failed.standstill())
                                    .isEqualTo(
                                            "ranks 0, 2 were in barrier #1 (A.java:5); rank 1 never entered it: it is"
                                                    + " at A.java:9"));
        }
    }

    /** The release of another rank may reach it first, through the communicator, and blames it. */
    @Test
    void aRankThatTakesItsReleaseForAFailureOfItsOwnFailsBecauseOfTheDeadlock() throws Exception {
        try (PlayedRanks ranks = new PlayedRanks(2, folder)) {
            CompletableFuture<Boolean> sound = startWithRank0WaitingForRank1(ranks);
            String reason = hear(ranks, 0, ToRank.Release.class).reason();

            ranks.say(0, ended(new RankOutcome.Failed(failure("aborted because of rank 0: " + reason))));
            ranks.say(0, new FromRank.RunEnded());
            ranks.say(1, new FromRank.RunEnded());

            assertThat(sound.get(20, TimeUnit.SECONDS)).isFalse();
            assertThat(ends.ofTest.get(0))
                    .isInstanceOfSatisfying(
                            RankOutcome.Failed.class,
                            failed -> assertThat(failed.standstill()).startsWith("rank 0 is in barrier #1 (A.java:5)"));
        }
    }

    @Test
    void aRankThatWaitsForOneThatHasEndedTheTestIsReleasedAndThatIsTheFailure() throws Exception {
        try (PlayedRanks ranks = new PlayedRanks(2, folder)) {
            CompletableFuture<Boolean> sound = startWithRank0WaitingForRank1(ranks);

            assertThat(hear(ranks, 0, ToRank.Release.class).failedRank()).isEqualTo(1);
            ranks.say(0, ended(new RankOutcome.Released(1, failure("released"))));
            assertThat(hear(ranks, 1, ToRank.Enter.class).run()).isFalse();
            ranks.say(0, new FromRank.RunEnded());
            ranks.say(1, new FromRank.RunEnded());

            assertThat(sound.get(20, TimeUnit.SECONDS)).isFalse();
            assertThat(ends.besides).isEmpty();
            assertThat(ends.ofTest.get(0))
                    .isInstanceOfSatisfying(
                            RankOutcome.Failed.class,
                            failed -> assertThat(failed.standstill())
                                    .isEqualTo(
                                            "rank 0 is in barrier #1 (A.java:5); rank 1 waits for the others before the"
                                                    + " next test"));
            assertThat(ends.ofTest.get(1)).isEqualTo(new RankOutcome.Passed());
        }
    }

    @Test
    void whatWasAnsweredBeforeSomethingHappenedProvesNothing() throws Exception {
        try (PlayedRanks ranks = new PlayedRanks(2, folder)) {
            CompletableFuture<Boolean> sound = start(ranks, 2);
            int round = hear(ranks, 0, ToRank.Look.class).round();
            // Rank 1 answers, then comes to the barrier, and both leave it.
            ranks.say(1, seen(round, "A.java:4"));
            ranks.say(1, ended(new RankOutcome.Passed()));
            ranks.say(1, new FromRank.RunEnded());
            ranks.say(0, seen(round, "A.java:5", barrier(CommOperation.ENTERED)));
            ranks.say(0, ended(new RankOutcome.Passed()));
            ranks.say(0, new FromRank.RunEnded());

            assertThat(sound.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ends.besides).isEmpty();
        }
    }

    @Test
    void aRunIsNotOverBeforeAllHaveAnswered() throws Exception {
        try (PlayedRanks ranks = new PlayedRanks(2, folder)) {
            CompletableFuture<Boolean> sound = start(ranks, 2);
            int round = hear(ranks, 0, ToRank.Look.class).round();
            for (int rank = 0; rank < 2; rank++) {
                ranks.say(rank, ended(new RankOutcome.Passed()));
                ranks.say(rank, new FromRank.RunEnded());
            }
            ranks.say(0, seen(round, ""));
            ranks.say(1, seen(round, ""));

            assertThat(sound.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ends.besides).isEmpty();
            assertThat(ranks.links().next(System.nanoTime())).isNull();
        }
    }

    /** Rank 0 is in a barrier, and rank 1 has ended the test. Both say so when they are asked. */
    private CompletableFuture<Boolean> startWithRank0WaitingForRank1(PlayedRanks ranks) throws IOException {
        CompletableFuture<Boolean> sound = start(ranks, 2);
        ranks.say(1, ended(new RankOutcome.Passed()));
        ranks.say(1, new FromRank.Entering(NEXT, 0));
        answerLook(ranks, 0, barrier(CommOperation.ENTERED));
        answerLook(ranks, 1);
        return sound;
    }

    private static void answerLook(PlayedRanks ranks, int rank, CommOperation... operations) throws IOException {
        ranks.say(rank, seen(hear(ranks, rank, ToRank.Look.class).round(), "A.java:5", operations));
    }

    private static FromRank.Seen seen(int round, String place, CommOperation... operations) {
        return new FromRank.Seen(round, place, List.of(operations), FromRank.DeviceWaits.UNKNOWN);
    }
}
