package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.cases.ShakenOrderCases.FallsBackOnThreeRanks;
import org.rankunit.engine.cases.ShakenOrderCases.FallsBackOnTwoRanks;
import org.rankunit.engine.cases.ShakenOrderCases.LooksOnce;

/** In which order ranks come follows from the seed. */
@Tag("ranks")
@Timeout(300)
class ShakenOrderRunsTest {

    private static final Pattern SAW = Pattern.compile("of \\d rank (\\d) saw (\\d)");

    @TempDir
    Path folder;

    private final Map<String, String> parameters = new HashMap<>();

    @BeforeEach
    void writeKernels() throws IOException {
        Path kernels = folder.resolve("kernels");
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/look.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_BLOCK_KERNEL(look)(const KernelEnv *env, const uint64_t *args, int) {
                    int32_t seen = 0;
                    for (int32_t value = 1; value <= 3; value++) {
                        if (rankunit_test(env, rankunit_pointer<int32_t>(args[0]), KERNEL_GE, value)) seen = value;
                    }
                    *rankunit_pointer<int32_t>(args[1]) = seen;
                    return 0;
                }
                """);
        parameters.put("rankunit.kernel-sources", kernels.toString());
        parameters.put("rankunit.sim.check", "off");
    }

    private EngineRun run(Class<?> type) {
        return EngineRun.of(folder, parameters, type);
    }

    @Test
    void eachOrderOfTwoRanksIsReached() {
        Map<String, Long> seen = run(LooksOnce.class)
                .output()
                .lines()
                .filter(line -> line.contains("saw "))
                .collect(Collectors.groupingBy(
                        line -> line.substring(line.indexOf("saw ")), TreeMap::new, Collectors.counting()));

        System.out.println("Of 100 seeds, a rank that looks once " + seen);
        assertThat(seen.keySet()).containsExactly("saw 0", "saw 1", "saw 2", "saw 3");
    }

    /** What the ranks saw, a text for each seed. */
    private static List<String> seen(EngineRun run) {
        Map<Integer, List<String>> byRank = SAW.matcher(run.output())
                .results()
                .collect(Collectors.groupingBy(
                        found -> Integer.parseInt(found.group(1)),
                        TreeMap::new,
                        Collectors.mapping((MatchResult found) -> found.group(2), Collectors.toList())));
        return IntStream.range(0, byRank.values().iterator().next().size())
                .mapToObj(seed ->
                        byRank.values().stream().map(ofRank -> ofRank.get(seed)).collect(Collectors.joining()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(classes = {FallsBackOnTwoRanks.class, FallsBackOnThreeRanks.class})
    void aKernelThatFallsBackDoesSoWithTheSameSeeds(Class<?> type) {
        List<String> first = seen(run(type));
        System.out.println("Of 30 seeds, ranks that look once saw "
                + first.stream()
                        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())));
        assertThat(first).hasSize(30);
        assertThat(first.stream().distinct()).hasSize(type == FallsBackOnTwoRanks.class ? 2 : 4);

        assertThat(seen(run(type))).isEqualTo(first);

        int seed = 1
                + IntStream.range(0, 30)
                        .filter(i -> first.get(i).contains("0"))
                        .findFirst()
                        .orElseThrow();
        parameters.put("rankunit.sim.shake", "pct:" + seed);
        parameters.put("rankunit.param.least", "1");
        EngineRun failed = run(type);
        EngineRun replayed = run(type);
        assertThat(List.of(seen(failed), seen(replayed))).containsOnly(List.of(first.get(seed - 1)));
        assertThat(failed.messages()).hasSize(1);
        assertThat(replayed.messages()).hasSize(1);
        assertThat(replayed.messages().get(0)).contains("replayed: it decided as the run that failed before did");
    }
}
