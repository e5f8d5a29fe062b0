package org.rankunit.engine.shake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.ShakeStrategy;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.TestDeclaration.Shake;

@Tag("unit")
class ShakeFolderTest {

    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:a()]";

    private static final String KEPT = "replayed: it decided as the run that failed before did";

    private static final List<String> DECISIONS =
            List.of("host, call 1: goes on", "host, call 2: pauses 16", "stream 1, work 1: goes on");

    @TempDir
    Path folder;

    private boolean ordersRanks = true;

    private List<String> ended(boolean replays, ShakenTest test) {
        return new ShakeFolder(folder.resolve("out"), replays).ended(test);
    }

    /** A test on as many ranks as there are lists. */
    @SafeVarargs
    private ShakenTest test(boolean failed, Set<Integer> released, List<String>... decisions) {
        SortedMap<Integer, FromRank.Shaken> ranks = new TreeMap<>();
        for (int rank = 0; rank < decisions.length; rank++) {
            Path file = folder.resolve("told-" + rank);
            try {
                Files.write(file, decisions[rank]);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            ranks.put(
                    rank,
                    new FromRank.Shaken(
                            ID, decisions[rank].size(), decisions[rank].hashCode(), file.toString(), ordersRanks));
        }
        Shake shake = new Shake(ShakeStrategy.RANDOM, 7, 7, 20);
        return new ShakenTest(ID, "A.a", "[2 ranks, a2a3sim]", shake, ranks, released, failed);
    }

    private List<String> kept() throws IOException {
        Path kept = folder.resolve("out/shake");
        if (!Files.exists(kept)) {
            return List.of();
        }
        try (var files = Files.list(kept)) {
            return files.map(file -> file.getFileName().toString().replaceFirst("-[0-9a-f]{8}-", "-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aFailureSaysIfTheOrderBetweenRanksWasNotDecided() {
        ordersRanks = false;

        assertThat(ended(false, test(true, Set.of(), DECISIONS, DECISIONS)).get(0))
                .matches("shaken: seed 7, .* hash [0-9a-f]{16}, the order between ranks was not decided");
    }

    @Test
    void theDecisionsOfATestThatFailedAreKeptUntilItPasses() throws IOException {
        List<String> lines = ended(false, test(true, Set.of(), DECISIONS, DECISIONS));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).matches("shaken: seed 7, strategy RANDOM, 6 decisions, hash [0-9a-f]{16}");
        assertThat(lines.get(1))
                .startsWith("replay: -Drankunit.sim.shake=random:7 (its decisions: ")
                .endsWith("-random-7-rank*.txt)");
        assertThat(kept()).containsExactly("A.a-random-7-rank0.txt", "A.a-random-7-rank1.txt");
        assertThat(ended(false, test(true, Set.of(), DECISIONS, DECISIONS))).isEqualTo(lines);
        assertThat(ended(false, test(true, Set.of(), DECISIONS, List.of())).get(0))
                .isNotEqualTo(lines.get(0));

        assertThat(ended(false, test(false, Set.of(), DECISIONS, DECISIONS))).isEmpty();
        assertThat(kept()).isEmpty();
    }

    @Test
    void aReplayIsComparedWithTheRunThatFailedAndDoesNotReplaceIt() throws IOException {
        ended(false, test(true, Set.of(), DECISIONS, DECISIONS));
        List<String> other = List.of(DECISIONS.get(0), "host, call 2: pauses 64", DECISIONS.get(2));

        assertThat(ended(true, test(true, Set.of(), DECISIONS, DECISIONS)))
                .hasSize(3)
                .first()
                .isEqualTo(KEPT);
        for (int i = 0; i < 2; i++) {
            assertThat(ended(true, test(true, Set.of(), DECISIONS, other)).get(0))
                    .isEqualTo("replayed: it decided differently from the run that failed before, first on rank 1:"
                            + " \"host, call 2\" was: pauses 16, and is: pauses 64");
        }
        assertThat(ended(true, test(false, Set.of(), DECISIONS, DECISIONS)))
                .singleElement()
                .asString()
                .startsWith(KEPT + ", but passed");
        assertThat(kept()).hasSize(2);
    }

    @Test
    void aReplayWithoutAnEarlierRunKeepsItsDecisions() throws IOException {
        assertThat(ended(true, test(true, Set.of(), DECISIONS))).hasSize(2);
        assertThat(kept()).containsExactly("A.a-random-7-rank0.txt");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false | false | \"stream 1, work 1\" was: goes on, and is: not reached",
                "false | true  |",
                "true  | false | \"stream 1, work 1\" was: goes on, and is: not reached",
                "true  | true  |"
            })
    void aRankThatWasReleasedMayHaveDecidedLess(boolean releasedBefore, boolean releasedNow, String difference) {
        ended(false, test(true, releasedBefore ? Set.of(0) : Set.of(), DECISIONS));

        List<String> lines = ended(true, test(true, releasedNow ? Set.of(0) : Set.of(), DECISIONS.subList(0, 2)));

        assertThat(lines.get(0)).endsWith(difference == null ? KEPT : difference);
        assertThat(lines.get(1).endsWith(", without those of rank 0, which was released"))
                .isEqualTo(releasedNow);
    }

    @Test
    void aDecisionThatIsNewIsADifferenceUnlessTheRankWasReleasedBefore() {
        ended(false, test(true, Set.of(1), DECISIONS.subList(0, 2), DECISIONS.subList(0, 2)));

        assertThat(ended(true, test(true, Set.of(), DECISIONS, DECISIONS)).get(0))
                .endsWith("first on rank 0: \"stream 1, work 1\" was: not reached, and is: goes on");
        assertThat(ended(true, test(true, Set.of(), DECISIONS.subList(0, 2), DECISIONS))
                        .get(0))
                .isEqualTo(KEPT);
    }

    @Test
    void whatRanksDidNotTellIsNotCompared() {
        ended(false, test(true, Set.of(), DECISIONS, DECISIONS));

        assertThat(ended(true, test(true, Set.of(), DECISIONS)).get(0))
                .isEqualTo(KEPT + ", except for what is not known: that of rank 1");
        assertThat(ended(true, test(false, Set.of())).get(0))
                .isEqualTo(
                        "replayed: what it decided is not known, so it was not compared with the run that failed before");
    }

    @Test
    void aFileThatCannotBeReadDoesNotTakeTheTestItsResult() throws IOException {
        ShakenTest test = test(true, Set.of(), DECISIONS);
        Files.delete(folder.resolve("told-0"));

        assertThat(ended(false, test)).hasSize(3).first().asString().contains("cannot be kept or compared");
    }
}
