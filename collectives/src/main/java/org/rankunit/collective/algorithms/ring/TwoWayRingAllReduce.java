package org.rankunit.collective.algorithms.ring;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce on a ring in both directions at the same time: half of the data goes round from each rank to the next, as in
 * {@link RingAllReduce}, and the other half the other way round, on a sub stream and with links of its own.
 *
 * <p>With x(r) the element of rank r, part c of the first half is {@code x(c - 1) op (... op (x(c + 1) op x(c)))} and part c of the second
 * half {@code x(c + 1) op (... op (x(c - 1) op x(c)))}, ranks modulo n: the same bits in every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TwoWayRingAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    private static Rings rings(CollectiveCall call) {
        int n = call.ranks();
        return new Rings(n, List.of(1, Math.max(1, n - 1)));
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
