package org.rankunit.collective.algorithms.ring;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce on several rings at the same time, each with its share of the data, a stream and links of its own. On each ring, the next rank
 * is at another distance: 1 on the first one, and on the others the next smallest ones that have no factor in common with n and do not make
 * an earlier ring the other way round. If there are too few of them, they are taken once more.
 *
 * <p>With x(r) the element of rank r, part c of the share of a ring with distance d is
 * {@code x(c - d) op (... op (x(c + 2d) op (x(c + d) op x(c))))}, ranks modulo n: the same bits in every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MultiRingAllReduce implements CollectiveAlgorithm {

    private final int rings;

    /** @param rings at least 1 */
    public MultiRingAllReduce(int rings) {
        if (rings < 1) {
            throw new IllegalArgumentException("rings = " + rings + ": there is at least one");
        }
        this.rings = rings;
    }

    /** Returns {@code "MultiRing2AllReduce"} if there are two rings. */
    @Override
    public String name() {
        return "MultiRing" + rings + "AllReduce";
    }

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    private Rings rings(CollectiveCall call) {
        int n = call.ranks();
        List<Integer> different = IntStream.rangeClosed(1, Math.max(1, n / 2))
                .filter(stride -> greatestCommonDivisor(stride, n) == 1)
                .limit(rings)
                .boxed()
                .toList();
        return new Rings(
                n,
                IntStream.range(0, rings)
                        .mapToObj(ring -> different.get(ring % different.size()))
                        .toList());
    }

    private static int greatestCommonDivisor(int one, int other) {
        return other == 0 ? one : greatestCommonDivisor(other, one % other);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return rings(call).resources(rank);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        return rings(call).cost(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        rings(self.call()).allReduce(self);
    }
}
