package org.rankunit.collective.algorithms.composed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;

/** Servers of random sizes, of which a sweep has few. */
@Tag("unit")
class UnequalServersTest {

    private static Servers servers(Random random) {
        return Servers.ofSizes(random.ints(1 + random.nextInt(4), 1, 6).boxed().toList());
    }

    private static void assertCorrect(CollectiveAlgorithm algorithm, Random random) {
        Servers servers = servers(random);
        CollectiveCall call = CollectiveCall.of(algorithm.collective(), servers.ranks(), DType.INT8, random.nextInt(90))
                .withServers(servers)
                .withInPlace(random.nextBoolean());
        if (algorithm.collective().hasCounts() && random.nextBoolean()) {
            call = call.withCounts(random.longs(servers.ranks(), 0, 5).boxed().toList());
        }

        assertThat(algorithm.unsupportedReason(call)).as(call.toString()).isEmpty();
        Verification found = Verifier.verify(algorithm, call);

        assertThat(found.findings()).as(found.report()).isEmpty();
    }

    @Test
    void asymmetricAlgorithmsAreCorrect() {
        List<CollectiveAlgorithm> algorithms = new ArrayList<>();
        for (String inside : List.of("mesh", "ring", "H-D_R", "NHR", "NB", "PAT")) {
            algorithms.add(new AhcReduceScatter(Family.require(inside)));
            algorithms.add(new AhcAllGather(Family.require(inside)));
            for (String between : List.of("mesh", "ring", "H-D_R", "NHR", "NB", "tree")) {
                algorithms.add(new AhcAllReduce(Family.require(inside), Family.require(between)));
            }
        }
        Random random = new Random(5);
        for (int i = 0; i < 600; i++) {
            assertCorrect(algorithms.get(i % algorithms.size()), random);
        }
    }

    @Test
    void onlyTheQuarterOfARankCrossesBetweenServers() {
        Servers servers = Servers.parse("4+2");
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 6, DType.FLOAT32, 48).withServers(servers);

        Verification asymmetric =
                Verifier.verify(new AhcAllReduce(Family.require("ring"), Family.require("ring")), call);

        // A rank of the larger server: three quarters inside, twice, and half of its quarter between servers, twice.
        assertThat(asymmetric.cost().bytesSent()).isEqualTo((2 * 36 + 2 * 6) * 4);
    }
}
