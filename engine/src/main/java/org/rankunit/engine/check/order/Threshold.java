package org.rankunit.engine.check.order;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.order.Epoch.Signal;

/** Signals of which any that are worth enough together let a wait go on. */
final class Threshold {

    private final List<int[]> clocks;
    private final long[] values;

    Threshold(List<Signal> signals, Reach reach) {
        this(
                signals.stream().map(signal -> reach.clockAfter(signal.node())).toList(),
                signals.stream().mapToLong(Signal::value).toArray());
    }

    Threshold(List<int[]> clocks, long[] values) {
        this.clocks = clocks;
        this.values = values;
    }

    /**
     * What has happened whichever of them have come: on each chain, up to the index that a set which is worth enough cannot do
     * without; {@code null} if all of them are worth less.
     */
    int @Nullable [] reaching(long worth) {
        int chains = clocks.stream().mapToInt(clock -> clock.length).max().orElse(0);
        int[] common = new int[chains];
        for (int chain = 0; chain < chains; chain++) {
            int of = chain;
            long missing = worth;
            int[] byIndex = IntStream.range(0, values.length)
                    .boxed()
                    .sorted((a, b) -> Integer.compare(Clocks.at(clocks.get(a), of), Clocks.at(clocks.get(b), of)))
                    .mapToInt(Integer::intValue)
                    .toArray();
            for (int i = 0; missing > 0; i++) {
                if (i == byIndex.length) {
                    return null;
                }
                missing -= values[byIndex[i]];
                common[chain] = Clocks.at(clocks.get(byIndex[i]), chain);
            }
        }
        return common;
    }
}
