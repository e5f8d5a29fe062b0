package org.rankunit.collective.algorithms.composed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;

@Tag("unit")
class HierarchicalTest {

    /** All families with all families, where both have what is needed. */
    private static List<Hierarchical> pairs(Collective collective) {
        return families()
                .flatMap(inside -> families()
                        .flatMap(
                                between -> composed(collective, List.of(Level.of(inside), Level.of(between))).stream()))
                .toList();
    }

    private static Stream<Family> families() {
        return Family.names().stream().flatMap(name -> Family.named(name).stream());
    }

    private static Optional<Hierarchical> composed(Collective collective, List<Level> levels) {
        try {
            return Optional.of(Hierarchical.of(collective, levels));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("has no algorithm for");
            return Optional.empty();
        }
    }

    private static void assertCorrect(Hierarchical algorithm, int places, int servers, long count) {
        CollectiveCall call = CollectiveCall.of(algorithm.collective(), places * servers, DType.FLOAT32, count)
                .withRanksPerServer(places);
        int roots = algorithm.collective().hasRoot() ? call.ranks() : 1;
        for (int root = 0; root < roots; root++) {
            for (boolean inPlace : List.of(false, true)) {
                Verification found =
                        Verifier.verify(algorithm, call.withRoot(root).withInPlace(inPlace));

                assertThat(found.findings()).as(found.report()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL_REDUCE", "REDUCE_SCATTER", "ALL_GATHER", "BROADCAST", "REDUCE"})
    void anyAlgorithmInsideWithAnyBetweenServersIsCorrect(Collective collective) {
        List<Hierarchical> pairs = pairs(collective);

        assertThat(pairs).hasSizeGreaterThanOrEqualTo(9);
        for (Hierarchical algorithm : pairs) {
            for (int servers = 1; servers <= 4; servers++) {
                int places = 1 + (servers * 2 + pairs.indexOf(algorithm)) % 4;
                assertCorrect(algorithm, places, servers, 2L * places * servers);
                assertCorrect(algorithm, places, servers, 7);
            }
            assertCorrect(algorithm, 3, 3, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL_REDUCE", "REDUCE_SCATTER", "ALL_GATHER", "BROADCAST", "REDUCE"})
    void threeAndFourLevelsAreCorrect(Collective collective) {
        Random random = new Random(14);
        List<Family> families = families().toList();
        int correct = 0;
        while (correct < 20) {
            int between = 1 + random.nextInt(2);
            List<Level> levels = IntStream.rangeClosed(0, between + 1)
                    .mapToObj(level -> new Level(
                            families.get(random.nextInt(families.size())),
                            level == 0 || level > between ? 0 : 1 + random.nextInt(3)))
                    .toList();
            Optional<Hierarchical> algorithm = composed(collective, levels);
            if (algorithm.isPresent()) {
                int inGroup = levels.stream()
                        .mapToInt(level -> Math.max(1, level.size()))
                        .reduce(1, (a, b) -> a * b);
                int servers = inGroup * (1 + random.nextInt(2));
                assertCorrect(algorithm.get(), 1 + random.nextInt(3), servers, random.nextInt(60));
                correct++;
            }
        }
    }

    @Test
    void partsMayBeUnequalWhereTheLevelsAllowIt() {
        for (Collective collective : List.of(Collective.REDUCE_SCATTER, Collective.ALL_GATHER)) {
            CollectiveAlgorithm algorithm = Hierarchical.of(collective, Level.parse("ring+2xmesh+NHR"));
            CollectiveCall call = CollectiveCall.of(collective, 8, DType.INT8, 0)
                    .withRanksPerServer(2)
                    .withCounts(List.of(3L, 0L, 5L, 1L, 0L, 0L, 7L, 2L));

            Verification found = Verifier.verify(algorithm, call);

            assertThat(found.findings()).as(found.report()).isEmpty();
        }
    }

    @Test
    void onlyPartsTravelBetweenServers() {
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 16, DType.FLOAT32, 160).withRanksPerServer(4);

        Verification hierarchical = Verifier.verify(named("HierarchicalAllReduce:ring+ring"), call);
        Verification flat = Verifier.verify(new RingAllReduce(), call);

        // 2 * 3/4 of all bytes inside, and 2 * 3/4 of a quarter between servers.
        assertThat(hierarchical.cost().bytesSent()).isEqualTo(2 * 480 + 2 * 120);
        assertThat(flat.cost().bytesSent()).isEqualTo(2 * 600);
        assertThat(hierarchical.cost().steps()).isLessThan(flat.cost().steps());
    }

    @Test
    void nameFindsTheSameAlgorithm() {
        for (String name : List.of(
                "HierarchicalAllReduce:mesh+ring",
                "HierarchicalReduceScatter:NB+12xH-D_R+PAT",
                "HierarchicalAllGather:mesh+NHR")) {
            assertThat(named(name).name()).isEqualTo(name);
        }
        assertThat(BuiltinAlgorithms.named("Hierarchical")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mesh+rnig > there are no algorithms \"rnig\" for a level; there are those of mesh, ring",
                "mesh > has two at least",
                "mesh+ring+NHR > level 1 (ring) needs a number of servers, as in 2xring",
                "mesh+2xring > level 1 (ring) takes no number",
                "2xmesh+ring > level 0 (mesh) takes no number",
                "mesh+PAT > PAT has no algorithm for all-reduce, which a level needs",
                "tree+ring > tree has no algorithm for reduce-scatter, which a level needs",
                "mesh+0xring+NHR > there are no algorithms \"0xring\"",
                "+ > there are no algorithms \"\"",
            })
    void whatIsWrongInANameIsSaid(String nameAndMessage) {
        String[] both = nameAndMessage.split(" > ", -1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> BuiltinAlgorithms.named("HierarchicalAllReduce:" + both[0]))
                .withMessageContaining(both[1]);
    }

    @Test
    void callsThatDoNotFitTheLevelsAreRefused() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 6, DType.FLOAT32, 6);

        assertThat(named("HierarchicalAllReduce:mesh+ring").unsupportedReason(call.withRanksPerServer(4)))
                .contains("needs the same number of ranks on each server");
        assertThat(named("HierarchicalAllReduce:mesh+2xring+ring").unsupportedReason(call.withRanksPerServer(2)))
                .contains("needs a multiple of 2 servers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hierarchical.of(Collective.ALL_TO_ALL, Level.parse("mesh+ring")))
                .withMessageContaining("all-to-all cannot be composed of levels; those that can are");
    }

    private static CollectiveAlgorithm named(String name) {
        return BuiltinAlgorithms.named(name).orElseThrow();
    }
}
