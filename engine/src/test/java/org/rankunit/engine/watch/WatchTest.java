package org.rankunit.engine.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.plan.PlannedClasses.running;
import static org.rankunit.engine.plan.PlannedClasses.took;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.engine.lockstep.RankEvents;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** What is known of groups at each moment, by a clock that stands until it is moved. */
@Tag("unit")
@Timeout(60)
class WatchTest {

    private static final GroupPlan PLAN = running("RingTest", 2).groups().get(0);
    private static final String TEST = PLAN.tests().get(0).test().jupiterId();

    private final AtomicLong nanos = new AtomicLong();

    private Watch watch(Durations durations) {
        return new Watch(durations, nanos::get, Optional.empty());
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private static String line(Watch watch) {
        assertThat(watch.statuses()).hasSize(1);
        return StatusText.line(watch.statuses().get(0));
    }

    /** A group that runs each test it is asked for. */
    private static final class Willing implements RankEvents {

        private boolean runs = true;

        @Override
        public void registered(int rank, FromRank.Registered registered) {}

        @Override
        public boolean entered(String uniqueId) {
            return runs;
        }

        @Override
        public void started(int rank, String uniqueId) {}

        @Override
        public void ended(int rank, FromRank.Ended ended) {}

        @Override
        public void shaken(int rank, FromRank.Shaken shaken) {}

        @Override
        public void rounds(int rank, FromRank.Rounds rounds) {}

        @Override
        public void ranCollective(int rank, FromRank.RanCollective ran) {}

        @Override
        public void reported(int rank, FromRank.Reported reported) {}

        @Override
        public void endedOutsideTests(int rank, RankOutcome outcome) {}

        @Override
        public void unfit(String why) {}

        @Override
        public void parted(String uniqueId) {}

        @Override
        public Set<String> disagreed(Map<Integer, String> next) {
            return Set.of();
        }
    }

    private static FromRank.Ended end(String uniqueId) {
        return new FromRank.Ended(uniqueId, new RankOutcome.Passed(), List.of(), 0, 0);
    }

    @Test
    void aGroupIsFollowedFromItsTurnToItsEnd() {
        Durations usual = Durations.of(Map.of("RingTest", took(8_000_000, 2)), Map.of());
        Watch watch = watch(usual);
        String title = "RingTest [2 ranks, a2a3sim]";
        try (WatchedGroup group = watch.begin(PLAN)) {
            pass(3);
            assertThat(line(watch)).isEqualTo(title + " waits for its turn, 3 s");

            group.needsRanks();
            assertThat(line(watch)).isEqualTo(title + " needs devices, 0 s");
            group.waits("waiting for 2 devices; process 7 has them");
            assertThat(line(watch)).isEqualTo(title + ": waiting for 2 devices; process 7 has them");

            group.leased(List.of(DeviceRef.here(2), DeviceRef.here(3)));
            pass(2);
            assertThat(line(watch)).isEqualTo(title + " on devices 2-3: ranks come up, 2 s");

            group.works(List.of(DeviceRef.here(2), DeviceRef.here(3)));
            RankEvents events = group.events(new Willing());
            assertThat(events.entered(TEST)).isTrue();
            pass(5);
            assertThat(line(watch))
                    .isEqualTo(title + " on devices 2-3: RingTest.a(), 5 s, usually 8 s; about 3 s left");
            events.ended(1, end(TEST));
            pass(5);
            assertThat(line(watch))
                    .isEqualTo(title + " on devices 2-3: RingTest.a(), 10 s, usually 8 s; rank 1 waits for rank 0");
        }
        assertThat(watch.statuses()).isEmpty();
    }

    @Test
    void anInvocationBelongsToTheTestBeforeItAndARefusedTestIsNotShown() {
        Watch watch = watch(Durations.NONE);
        WatchedGroup group = watch.begin(PLAN);
        group.works(List.of(DeviceRef.here(0), DeviceRef.here(1)));
        Willing receiver = new Willing();
        RankEvents events = group.events(receiver);

        events.entered(TEST);
        events.entered(TEST + "/[dynamic-test:#1]");
        assertThat(line(watch)).contains("RingTest.a(), 0 s");
        events.ended(0, end(TEST));
        assertThat(line(watch)).as("the end of another test").doesNotContain("waits for");

        pass(4);
        receiver.runs = false;
        assertThat(events.entered("other")).isFalse();
        assertThat(line(watch)).contains("RingTest.a(), 4 s");
    }

    @Test
    void aRunGoesOnIfNobodyCanBeTold() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger shown = new AtomicInteger();
        View broken = new View() {

            @Override
            public Duration period() {
                return Duration.ofMillis(1);
            }

            @Override
            public void show(List<GroupStatus> groups) {
                shown.incrementAndGet();
                throw new IllegalStateException("the terminal is gone");
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
        try (Watch watch = new Watch(Durations.NONE, nanos::get, Optional.of(broken)).start()) {
            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.statuses()).isEmpty();
        }
        assertThat(shown).hasValue(1);
    }
}
