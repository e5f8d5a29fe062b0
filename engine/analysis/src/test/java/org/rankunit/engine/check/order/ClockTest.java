package org.rankunit.engine.check.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clocks against plain maps from chains to indices, with random contents. */
@Tag("unit")
class ClockTest {

    private static final Clock.Memory MEMORY = Clock.Memory.unlimited();

    private final Random random = new Random(7);

    /** Each clock beside the map that it stands for. */
    private record Both(Clock clock, Map<Integer, Integer> map) {}

    /** Few chains, some hundreds, or numbers up to the largest one. */
    private int randomChain() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> random.nextInt(5);
            case 3, 4, 5 -> random.nextInt(300);
            case 6 -> random.nextInt(100_000);
            default -> Integer.MAX_VALUE - random.nextInt(20);
        };
    }

    private Both raised(Both both) {
        int chain = randomChain();
        int index = 1 + random.nextInt(4);
        Map<Integer, Integer> map = new TreeMap<>(both.map());
        map.merge(chain, index, Math::max);
        return new Both(both.clock().raised(chain, index, MEMORY), map);
    }

    private static Both joined(Both one, Both other) {
        Map<Integer, Integer> map = new TreeMap<>(one.map());
        other.map().forEach((chain, index) -> map.merge(chain, index, Math::max));
        return new Both(one.clock().joined(other.clock(), MEMORY), map);
    }

    private static Both common(Both one, Both other) {
        Map<Integer, Integer> map = new TreeMap<>();
        one.map().forEach((chain, index) -> {
            int smaller = Math.min(index, other.map().getOrDefault(chain, 0));
            if (smaller > 0) {
                map.put(chain, smaller);
            }
        });
        return new Both(one.clock().common(other.clock()), map);
    }

    /** Clocks that came about from each other, as those of one run do. */
    private List<Both> randomClocks(int count) {
        List<Both> clocks = new ArrayList<>(List.of(new Both(Clock.NONE, Map.of())));
        while (clocks.size() < count) {
            Both some = clocks.get(random.nextInt(clocks.size()));
            Both other = clocks.get(random.nextInt(clocks.size()));
            clocks.add(
                    switch (random.nextInt(5)) {
                        case 0 -> joined(some, other);
                        case 1 -> common(some, other);
                        default -> raised(some);
                    });
        }
        return clocks;
    }

    private static Map<Integer, Integer> mapOf(Clock clock) {
        Map<Integer, Integer> map = new TreeMap<>();
        int chain = clock.nextKnown(0);
        while (chain >= 0) {
            map.put(chain, clock.at(chain));
            chain = chain == Integer.MAX_VALUE ? -1 : clock.nextKnown(chain + 1);
        }
        return map;
    }

    @Test
    void aClockKnowsWhatAMapKnows() {
        for (int round = 0; round < 300; round++) {
            for (Both both : randomClocks(60)) {
                assertThat(mapOf(both.clock())).isEqualTo(both.map());
                int chain = randomChain();
                assertThat(both.clock().at(chain)).isEqualTo(both.map().getOrDefault(chain, 0));
                assertThat(both.clock().nextKnown(chain))
                        .isEqualTo(Objects.requireNonNullElse(
                                new TreeSet<>(both.map().keySet()).ceiling(chain), -1));
            }
        }
    }

    @Test
    void clocksAreEqualIfTheyKnowTheSame() {
        int equal = 0;
        for (int round = 0; round < 300; round++) {
            List<Both> clocks = randomClocks(30);
            for (int i = 0; i < clocks.size(); i++) {
                for (int j = 0; j < i; j++) {
                    Both one = clocks.get(i);
                    Both other = clocks.get(j);
                    boolean isSame = one.map().equals(other.map());
                    assertThat(one.clock().equals(other.clock())).isEqualTo(isSame);
                    assertThat(one.clock().hashCode() == other.clock().hashCode() || !isSame)
                            .isTrue();
                    equal += isSame && !one.map().isEmpty() ? 1 : 0;
                }
            }
        }
        assertThat(equal).isGreaterThan(100);
    }

    @Test
    void aClockThatNothingIsAddedToStaysTheSameObject() {
        for (Both both : randomClocks(200)) {
            both.map()
                    .forEach((chain, index) -> assertThat(both.clock().raised(chain, index, MEMORY))
                            .isSameAs(both.clock()));
            Both larger = raised(both);
            assertThat(larger.clock().joined(both.clock(), MEMORY)).isSameAs(larger.clock());
            assertThat(both.clock().joined(Clock.NONE, MEMORY)).isSameAs(both.clock());
        }
    }

    @Test
    void clocksReachWhatEachSetThatIsWorthEnoughKnows() {
        int reached = 0;
        for (int round = 0; round < 2_000; round++) {
            List<Both> clocks = randomClocks(1 + random.nextInt(10));
            long[] values = random.longs(clocks.size(), 1, 4).toArray();
            int worth = 1 + random.nextInt(12);
            Clock now = Clock.reached(clocks.stream().map(Both::clock).toList(), values, worth);
            Map<Integer, Integer> expected = inEachSet(clocks, values, worth);
            assertThat(now == null ? null : mapOf(now)).isEqualTo(expected);
            reached += expected == null || expected.isEmpty() ? 0 : 1;
        }
        assertThat(reached).isGreaterThan(200);
    }

    /** By trying all sets of clocks; {@code null} if none is worth enough. */
    private static @Nullable Map<Integer, Integer> inEachSet(List<Both> clocks, long[] values, long worth) {
        Map<Integer, Integer> common = null;
        for (int set = 1; set < 1 << clocks.size(); set++) {
            int members = set;
            int[] of = IntStream.range(0, values.length)
                    .filter(i -> (members >> i & 1) == 1)
                    .toArray();
            if (IntStream.of(of).mapToLong(i -> values[i]).sum() >= worth) {
                Map<Integer, Integer> known = new TreeMap<>();
                IntStream.of(of)
                        .forEach(i ->
                                clocks.get(i).map().forEach((chain, index) -> known.merge(chain, index, Math::max)));
                if (common != null) {
                    Map<Integer, Integer> before = common;
                    known.replaceAll((chain, index) -> Math.min(index, before.getOrDefault(chain, 0)));
                    known.values().removeIf(index -> index == 0);
                }
                common = known;
            }
        }
        return common;
    }

    @Test
    void clocksOfManyChainsTakeMemoryForWhatIsNewInThem() {
        Clock.Memory memory = Clock.Memory.of(20_000L * 1_000);
        Clock all = Clock.NONE;
        for (int chain = 1; chain <= 20_000; chain++) {
            all = all.joined(Clock.NONE.raised(0, chain, memory), memory).raised(chain, 1, memory);
        }
        assertThat(all.at(0)).isEqualTo(20_000);
        assertThat(all.at(20_000)).isEqualTo(1);
        Clock last = all;
        assertThatThrownBy(() -> {
                    for (int index = 2; true; index++) {
                        last.raised(3, index, memory);
                    }
                })
                .hasMessageContaining("takes more than 19 MiB");
    }
}
