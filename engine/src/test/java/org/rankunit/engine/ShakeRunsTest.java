package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.DiscoverySelector;
import org.rankunit.RankContext;
import org.rankunit.engine.cases.ShakeCases.Alike;
import org.rankunit.engine.cases.ShakeCases.BetweenRanks;
import org.rankunit.engine.cases.ShakeCases.BetweenStreams;
import org.rankunit.engine.cases.ShakeCases.InTheWay;
import org.rankunit.engine.cases.ShakeCases.WithoutSeeds;

/** Whole runs of tests whose schedule is shaken. The checks for races, which would find the mistake at once, are off. */
@Tag("ranks")
@Timeout(300)
class ShakeRunsTest {

    private static final Pattern SHAKEN = Pattern.compile("shaken: seed (\\d+), strategy RANDOM, .*");

    private static final DiscoverySelector WITHOUT_EVENT =
            selectMethod(BetweenStreams.class, "bNoEvent", RankContext.class);

    @TempDir
    Path folder;

    private final Map<String, String> parameters = new HashMap<>(Map.of("rankunit.sim.check", "off"));

    private EngineRun run(Class<?> type) {
        return EngineRun.of(folder, parameters, type);
    }

    @Test
    void aMistakeThatASeedFindsIsFoundAgainWithThatSeedEachTime() throws IOException {
        EngineRun first = run(BetweenStreams.class);

        List<String> results = first.results(BetweenStreams.class);
        assertThat(results).hasSize(41).contains("SUCCESSFUL cNotShaken(RankContext)");
        assertThat(results.stream().filter(result -> result.contains("aEvent")))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
                        .mapToObj(seed -> "SUCCESSFUL aEvent(RankContext) [seed " + seed + "]")
                        .toList());
        List<String> messages = first.messages();
        assertThat(messages).isNotEmpty().hasSizeLessThan(20);
        String seed = shaken(messages.get(0)).group(1);
        assertThat(messages.get(0)).contains("BetweenStreams.bNoEvent [1 rank, a2a3sim, seed " + seed + "] failed");
        assertThat(messages.get(0)
                        .lines()
                        .toList()
                        .get((int) messages.get(0).lines().count() - 1))
                .contains("replay: -Drankunit.sim.shake=random:" + seed, "-rank*.txt");

        parameters.put("rankunit.sim.shake", "random:" + seed);
        List<String> replayed = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            EngineRun again = EngineRun.of(folder, parameters, List.of(WITHOUT_EVENT));
            assertThat(again.results(BetweenStreams.class))
                    .containsExactly("FAILED bNoEvent(RankContext) [seed " + seed + "]");
            assertThat(again.messages()).hasSize(1);
            assertThat(again.messages().get(0)).contains("replayed: it decided as the run that failed before did");
            replayed.add(shaken(again.messages().get(0)).group());
        }
        assertThat(replayed).containsOnly(shaken(messages.get(0)).group());

        Path kept = decisions("bNoEvent").stream()
                .filter(file -> file.getFileName().toString().contains("random-" + seed + "-"))
                .findFirst()
                .orElseThrow();
        String changed = Files.readString(kept).replaceFirst("(?m)^(host, call 2): .*$", "$1: pauses 12345");
        Files.writeString(kept, changed);
        EngineRun differs = run(BetweenStreams.class);
        assertThat(differs.results(BetweenStreams.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL aEvent(RankContext) [seed " + seed + "]",
                        "FAILED bNoEvent(RankContext) [seed " + seed + "]",
                        "SUCCESSFUL cNotShaken(RankContext) [seed " + seed + "]");
        assertThat(differs.messages().get(0))
                .contains(
                        "replayed: it decided differently from the run that failed before, first on rank 0: \"host, call 2\""
                                + " was: pauses 12345, and is: ");
        assertThat(Files.readString(kept)).isEqualTo(changed);
    }

    @Test
    void theVariantsAndTheDecisionsOfAllRanksAreNamed() throws IOException {
        EngineRun passing = run(BetweenRanks.class);
        assertThat(passing.results(BetweenRanks.class))
                .containsExactly(
                        "SUCCESSFUL exchange(RankContext) [seed 1]", "SUCCESSFUL exchange(RankContext) [seed 2]");
        assertThat(decisions("exchange")).isEmpty();

        parameters.put("rankunit.param.fails", "1");
        parameters.put("rankunit.sim.shake", "from:2000");
        EngineRun failing = run(BetweenRanks.class);

        assertThat(failing.results(BetweenRanks.class))
                .containsExactly(
                        "FAILED exchange(RankContext) [seed 2000]", "FAILED exchange(RankContext) [seed 2001]");
        assertThat(failing.messages().get(0))
                .contains(
                        "BetweenRanks.exchange [2 ranks, a2a3sim, seed 2000] failed on rank 1",
                        "shaken: seed 2000, strategy PCT, ",
                        ", without those of rank 0, which was released",
                        "replay: -Drankunit.sim.shake=pct:2000");
        assertThat(decisions("exchange").stream()
                        .map(file -> file.getFileName().toString().replaceAll(".*-pct", "pct")))
                .containsExactlyInAnyOrder(
                        "pct-2000-rank0.txt", "pct-2000-rank1.txt", "pct-2001-rank0.txt", "pct-2001-rank1.txt");

        parameters.put("rankunit.sim.shake", "pct:2000");
        parameters.put("rankunit.param.fails", "0");
        EngineRun passes = run(BetweenRanks.class);
        assertThat(passes.results(BetweenRanks.class)).containsExactly("SUCCESSFUL exchange(RankContext) [seed 2000]");
        assertThat(passes.output()).contains("replayed: it decided as the run that failed before did, but passed");
    }

    @Test
    void equalTestsMakeEqualDecisionsWhateverRanBefore() throws IOException {
        Path kernels = folder.resolve("kernels");
        parameters.put("rankunit.kernel-sources", kernels.toString());
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/fill.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fill(const uint64_t *args, int) {
                    for (int i = 0; i < 4; i++) rankunit_pointer<int32_t>(args[0])[i] = static_cast<int32_t>(args[1]);
                    return 0;
                }
                """);

        List<String> shaken = run(Alike.class).messages().stream()
                .map(message -> shaken(message).group())
                .toList();

        assertThat(shaken).hasSize(3).containsOnly(shaken.get(0));
    }

    @Test
    void aTestThatCannotBeShakenFails() {
        EngineRun run = run(InTheWay.class);

        assertThat(run.results(InTheWay.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL aTakesThePlace(RankContext)",
                        "FAILED bCannotBeShaken(RankContext) [seed 1]",
                        "SUCCESSFUL cIsNotToBeShaken(RankContext)");
        assertThat(run.messages()).singleElement().asString().contains("the test was not shaken: ", "order-of-ranks");
    }

    @Test
    void aNumberOfSeedsThatIsNoneIsAMistake() {
        assertThat(run(WithoutSeeds.class).messages())
                .containsExactly(WithoutSeeds.class.getName()
                        + ".never: @ShakeSchedule(seeds = 0) is not a number of seeds. Give one from 1 to 1000.");
    }

    private static Matcher shaken(String message) {
        Matcher shaken = SHAKEN.matcher(message);
        assertThat(shaken.find()).as(message).isTrue();
        return shaken;
    }

    private List<Path> decisions(String test) throws IOException {
        Path kept = folder.resolve("out/shake");
        if (!Files.exists(kept)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(kept)) {
            return files.filter(file -> file.getFileName().toString().contains("." + test + "-"))
                    .toList();
        }
    }
}
