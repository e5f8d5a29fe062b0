package org.rankunit.engine.rank.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.MultipleFailuresError;
import org.rankunit.Values;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.golden.Golden;

@Tag("unit")
@Timeout(60)
class PhaseClockTest {

    private static final long DAY = 86_400_000_000_000L;

    private final PhaseClock clock = new PhaseClock();

    @Test
    void whatIsMeasuredInATestIsNoPartOfItsRun() {
        clock.asks();
        clock.enters();
        clock.add(Phase.VERIFY, DAY);

        List<Phase.Time> times = clock.ends();

        // A clock that counted the day twice would have less than nothing left.
        assertThat(times).containsExactly(new Phase.Time(Phase.RUN, 0), new Phase.Time(Phase.VERIFY, DAY));
    }

    @Test
    void theBringUpOfTheRankCountsForTheFirstTestThatIsEntered() {
        clock.rankIsUp(DAY);
        clock.asks();
        clock.add(Phase.BARRIER, 1);
        assertThat(clock.ends()).as("refused").isEmpty();

        clock.asks();
        clock.add(Phase.BRING_UP, 2);
        clock.enters();
        assertThat(clock.ends())
                .startsWith(new Phase.Time(Phase.BRING_UP, DAY + 2))
                .hasSize(2);

        clock.asks();
        clock.enters();
        assertThat(clock.ends()).extracting(Phase.Time::phase).containsExactly(Phase.RUN);
    }

    @Test
    void outsideOfATestNothingIsKept() {
        clock.asks();
        clock.enters();
        clock.ends();
        clock.in(Phase.BARRIER, () -> {});
        clock.asks();
        clock.enters();

        assertThat(clock.ends()).extracting(Phase.Time::phase).containsExactly(Phase.RUN);
    }

    @Test
    void whenThePhasesWereIsKeptOnDemandAndForOneTest() {
        clock.asks();
        clock.enters();
        clock.in(Phase.BARRIER, () -> {});
        assertThat(clock.spans()).as("nobody asks for it").isEmpty();

        clock.keepSpans();
        clock.rankIsUp(DAY);
        clock.asks();
        long before = System.nanoTime();
        clock.enters();
        clock.in(Phase.BARRIER, () -> {});
        long after = System.nanoTime();

        assertThat(clock.spans()).extracting(Phase.Span::phase).containsExactly(Phase.BRING_UP, Phase.BARRIER);
        Phase.Span bringUp = clock.spans().get(0);
        assertThat(bringUp.endNanos() - bringUp.beginNanos()).isEqualTo(DAY);
        Phase.Span barrier = clock.spans().get(1);
        assertThat(barrier.beginNanos()).isBetween(before, barrier.endNanos());
        assertThat(barrier.endNanos()).isBetween(before, after);

        clock.asks();
        clock.enters();
        for (int i = 0; i < 300; i++) {
            clock.in(Phase.BARRIER, () -> {});
        }
        assertThat(clock.spans()).hasSize(256).extracting(Phase.Span::phase).containsOnly(Phase.BARRIER);
    }

    @Test
    void aReportHasFewerPartsButTheFirstOfEachPhase() {
        clock.keepSomeSpans();
        clock.asks();
        clock.enters();
        for (int i = 0; i < 40; i++) {
            clock.in(Phase.BARRIER, () -> {});
        }
        clock.in(Phase.VERIFY, () -> {});
        clock.in(Phase.VERIFY, () -> {});
        clock.ends();

        assertThat(clock.spans())
                .hasSize(34)
                .extracting(Phase.Span::phase)
                .startsWith(Phase.BARRIER)
                .endsWith(Phase.BARRIER, Phase.VERIFY, Phase.RUN);
        Phase.Span whole = clock.spans().get(33);
        assertThat(clock.spans())
                .allSatisfy(part -> assertThat(part.beginNanos()).isGreaterThanOrEqualTo(whole.beginNanos()))
                .allSatisfy(part -> assertThat(part.endNanos()).isLessThanOrEqualTo(whole.endNanos()));
    }

    @Test
    void onlyTheFirstOfTwoThreadsIsMeasured() throws InterruptedException {
        clock.asks();
        clock.enters();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread other = new Thread(() -> clock.in(Phase.BARRIER, () -> {
            inside.countDown();
            awaited(mayEnd);
        }));
        other.start();
        inside.await();
        int read = clock.in(Phase.COLLECT_OUTPUTS, () -> 42);
        mayEnd.countDown();
        other.join();

        assertThat(read).isEqualTo(42);
        assertThat(clock.ends()).extracting(Phase.Time::phase).containsExactly(Phase.RUN, Phase.BARRIER);
    }

    @Test
    void aFailureIsOfThePhaseThatThrewItAlsoAsACause() {
        IllegalStateException thrown = new IllegalStateException("while it was copied");
        clock.asks();
        clock.enters();
        Throwable caught = catchThrowable(() -> clock.in(Phase.COLLECT_OUTPUTS, () -> {
            throw thrown;
        }));

        assertThat(clock.of(caught)).isEqualTo(Phase.COLLECT_OUTPUTS);
        assertThat(clock.of(new AssertionError("around", thrown))).isEqualTo(Phase.COLLECT_OUTPUTS);
        assertThat(clock.of(new AssertionError("another"))).isEqualTo(Phase.RUN);
        clock.asks();
        assertThat(clock.of(thrown)).isEqualTo(Phase.RUN);
    }

    @Test
    void aGoldenFailsInVerification() {
        Throwable golden = catchThrowable(() -> Golden.of("x", 1).verify(Values.int32(2)));

        assertThat(clock.of(golden)).isEqualTo(Phase.VERIFY);
        assertThat(clock.of(new MultipleFailuresError("both", List.of(golden, golden))))
                .isEqualTo(Phase.VERIFY);
        assertThat(clock.of(new MultipleFailuresError("both", List.of(golden, new AssertionError("not one")))))
                .isEqualTo(Phase.RUN);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
