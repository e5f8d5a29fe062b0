package org.rankunit.collective.verify.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks beside plain arrays of times: streams post what they know, wait for posts of others, and write over wires. */
@Tag("unit")
class ClockTest {

    private static final int TASKS = 4_000;

    private final List<Pair> posted = new ArrayList<>();

    /** A clock, and the same times in an array. */
    private static final class Pair {

        private final Clock clock;
        private final int[] times;

        Pair(int size) {
            this.clock = new Clock(size);
            this.times = new int[size];
        }

        Pair copy() {
            Pair copy = new Pair(times.length);
            copy.clock.set(clock);
            System.arraycopy(times, 0, copy.times, 0, times.length);
            return copy;
        }

        void join(Pair other) {
            clock.join(other.clock);
            Arrays.setAll(times, i -> Math.max(times[i], other.times[i]));
        }

        void tick(int stream) {
            assertThat(clock.tick(stream)).isEqualTo(++times[stream]);
        }

        void learn(int lane, int time) {
            clock.learn(lane, time, 0);
            times[lane] = Math.max(times[lane], time);
        }

        void compare() {
            assertThat(IntStream.range(0, times.length).map(clock::time).toArray())
                    .isEqualTo(times);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 31, 32, 33, 70, 200})
    void whatAStreamKnowsIsWhatItHasHeardOf(int streams) {
        Random random = new Random(streams);
        int lanes = streams / 3;
        List<Pair> clocks = IntStream.range(0, streams + lanes)
                .mapToObj(i -> new Pair(streams + lanes))
                .toList();
        for (int task = 0; task < TASKS; task++) {
            int stream = random.nextInt(streams);
            Pair own = clocks.get(stream);
            own.tick(stream);
            if (stream < lanes && random.nextInt(4) == 0) {
                Pair wire = clocks.get(streams + stream);
                wire.join(own);
                wire.tick(streams + stream);
                wire.compare();
            } else if (random.nextBoolean()) {
                post(own, stream < lanes ? streams + stream : -1, clocks, random);
            } else if (!posted.isEmpty()) {
                // A copy is used again, as notifies do.
                own.join(posted.get(random.nextInt(posted.size())));
            }
            own.compare();
        }
    }

    private void post(Pair own, int lane, List<Pair> clocks, Random random) {
        Pair copy = own.copy();
        if (lane >= 0) {
            copy.learn(lane, clocks.get(lane).times[lane]);
        }
        copy.compare();
        if (posted.size() < 50) {
            posted.add(copy);
        } else {
            posted.set(random.nextInt(posted.size()), copy);
        }
    }
}
