package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.golden.GoldenMessageTest.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Values;

@Tag("unit")
class GoldenLogTest {

    private final Queue<GoldenSummary> log = new ConcurrentLinkedQueue<>();

    @AfterEach
    void reset() {
        GoldenLog.reset();
    }

    @Test
    void everyComparisonIsRecordedWhetherItPassesOrFails() {
        GoldenLog.install((summary, nanos) -> log.add(summary));

        GoldenSummary passed = Golden.of("good", 1).verify(Values.int32(1));
        GoldenSummary failed = failure(Golden.of("bad", 1), Values.int32(2)).summary();
        GoldenSummary refused = failure(Golden.of("other", 1), Values.int64(1)).summary();
        GoldenSummary empty =
                failure(Golden.of("empty", new int[0]), Values.int32()).summary();

        assertThat(log).containsExactly(passed, failed, refused, empty);
        assertThat(log).extracting(GoldenSummary::passed).containsExactly(true, false, false, false);
    }

    @Test
    void withoutASinkNothingHappens() {
        GoldenLog.install((summary, nanos) -> log.add(summary));
        GoldenLog.reset();

        assertThat(Golden.of("good", 1).verify(Values.int32(1)).passed()).isTrue();
        assertThat(log).isEmpty();
    }

    @Test
    void threadsMayCompareAtTheSameTime() throws Exception {
        GoldenLog.install((summary, nanos) -> log.add(summary));
        Golden golden = Golden.of("shared", 1f, 2f, 3f);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    golden.verify(Values.float32(1, 2, 3));
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join(30_000);
        }

        assertThat(log).hasSize(4000).allMatch(GoldenSummary::passed);
    }
}
