package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.cases.ProgramCases;
import org.rankunit.engine.check.program.Explorer;
import org.rankunit.engine.check.program.Generator;
import org.rankunit.engine.check.program.Program;
import org.rankunit.engine.check.program.RankRun;

/**
 * Random programs on the simulated NPU: those that can give two results fail, and those that cannot pass, which the explorer of all
 * orders knows. {@code RandomProgramsTest} has many more of them, whose records it writes itself.
 */
@Tag("ranks")
@Timeout(3600)
class ProgramRunsTest {

    private static final int PROGRAMS = Integer.getInteger("random.runs", 40);

    private static final long FIRST = Long.getLong("random.seed", 1);

    private static final Pattern PRINTED =
            Pattern.compile("(as it comes|random|pct) program (\\d+) rank (\\d+) (\\[.*\\])");

    @TempDir
    Path folder;

    /** Which programs run, and whether they are wrong. */
    private final Map<Long, Boolean> wrong = new TreeMap<>();

    /** The same by their number of ranks. */
    private final Map<Integer, List<Long>> seeds = new HashMap<>();

    private final Map<String, String> parameters = new HashMap<>();

    private void choose(int count, boolean onlyWrong) throws IOException {
        Path kernels = folder.resolve("kernels");
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/" + RankRun.KERNEL + ".cpp"), RankRun.SOURCE);
        parameters.put("rankunit.kernel-sources", kernels.toString());
        for (long seed = FIRST; wrong.size() < count; seed++) {
            Program program = Generator.program(Generator.random(seed));
            Optional<Boolean> isWrong = Explorer.isWrong(program);
            boolean ends = isWrong.isPresent()
                    && (!isWrong.get() || !Explorer.canHang(program).orElse(true));
            if (ends && program.isForDevices() && (isWrong.get() || (!onlyWrong && program.sharesMemory()))) {
                wrong.put(seed, isWrong.get());
                seeds.computeIfAbsent(program.ranks(), ranks -> new ArrayList<>())
                        .add(seed);
            }
        }
        seeds.forEach((ranks, ofRanks) -> parameters.put(
                "programs.of." + ranks, ofRanks.stream().map(String::valueOf).collect(Collectors.joining(","))));
    }

    private EngineRun run(String check, Class<?> ofTwoRanks, Class<?> ofThreeRanks) {
        parameters.put("rankunit.sim.check", check);
        Class<?>[] types = seeds.keySet().stream()
                .map(ranks -> ranks == 2 ? ofTwoRanks : ofThreeRanks)
                .toArray(Class<?>[]::new);
        return EngineRun.of(folder, parameters, types);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ranges", "bytes"})
    void thoseThatAreWrongFail(String check) throws IOException {
        choose(PROGRAMS, false);

        EngineRun run = run(check, ProgramCases.OnceOnTwoRanks.class, ProgramCases.OnceOnThreeRanks.class);

        Map<Long, Boolean> failed = new TreeMap<>();
        addFailed(run, ProgramCases.OnceOnTwoRanks.class, 2, failed);
        addFailed(run, ProgramCases.OnceOnThreeRanks.class, 3, failed);
        System.out.println(wrong.size() + " random programs on simulated devices, checked in " + check + ", of which "
                + wrong.values().stream().filter(isWrong -> isWrong).count() + " are wrong");
        List<String> different = new ArrayList<>();
        wrong.forEach((seed, isWrong) -> {
            if (!isWrong.equals(failed.get(seed))) {
                different.add("seed " + seed + " is " + (isWrong ? "wrong" : "right") + ": "
                        + Generator.program(Generator.random(seed)));
            }
        });
        assertThat(different).as(() -> String.join("\n\n", run.messages())).isEmpty();
        assertThat(run.messages()).allMatch(message -> message.contains("failed the simulator's checks"));
    }

    private void addFailed(EngineRun run, Class<?> type, int ranks, Map<Long, Boolean> failed) {
        List<String> results = run.results(type);
        List<Long> ofRanks = seeds.getOrDefault(ranks, List.of());
        assertThat(results).hasSameSizeAs(ofRanks);
        for (int i = 0; i < results.size(); i++) {
            assertThat(results.get(i)).endsWith("[" + (i + 1) + "]");
            failed.put(ofRanks.get(i), results.get(i).startsWith("FAILED"));
        }
    }

    /** What the data shows of programs that can give two results, in 20 runs each. */
    @Test
    void shakingShowsInTheDataWhatIsWrong() throws IOException {
        choose(Integer.getInteger("random.shaken", 5), true);

        EngineRun run = run("off", ProgramCases.OftenOnTwoRanks.class, ProgramCases.OftenOnThreeRanks.class);

        assertThat(run.messages()).isEmpty();
        Map<String, Integer> shown = new TreeMap<>();
        runsByProgram(run.output()).forEach((how, byProgram) -> {
            assertThat(byProgram.values())
                    .hasSize(wrong.size())
                    .allMatch(results -> results.size() == ProgramCases.RUNS);
            List<Integer> unlike = byProgram.values().stream()
                    .map(ProgramRunsTest::countUnlike)
                    .toList();
            shown.put(how, (int) unlike.stream().filter(runs -> runs > 0).count());
            System.out.printf(
                    "%-12s shows %d of %d wrong programs in the data of %d runs; %d of %d runs are unlike the others%n",
                    how,
                    shown.get(how),
                    wrong.size(),
                    ProgramCases.RUNS,
                    unlike.stream().mapToInt(Integer::intValue).sum(),
                    ProgramCases.RUNS * wrong.size());
        });
        assertThat(shown.keySet()).containsExactly("as it comes", "pct", "random");
        assertThat(shown.getOrDefault("pct", 0) + shown.getOrDefault("random", 0))
                .isPositive();
    }

    /** How many runs have found something else than most of them. */
    private static int countUnlike(List<Map<String, String>> results) {
        long most = results.stream()
                .mapToLong(each -> Collections.frequency(results, each))
                .max()
                .orElseThrow();
        return results.size() - (int) most;
    }

    /** By how it runs and by program: what all ranks together have found in each run. */
    private static Map<String, Map<String, List<Map<String, String>>>> runsByProgram(String output) {
        Map<String, Map<String, List<Map<String, String>>>> runs = new TreeMap<>();
        Map<List<String>, Integer> done = new HashMap<>();
        Matcher each = PRINTED.matcher(output);
        while (each.find()) {
            String rank = each.group(3);
            int index = done.merge(List.of(each.group(1), each.group(2), rank), 1, Integer::sum) - 1;
            List<Map<String, String>> results = runs.computeIfAbsent(each.group(1), how -> new TreeMap<>())
                    .computeIfAbsent(each.group(2), program -> new ArrayList<>());
            if (results.size() == index) {
                results.add(new TreeMap<>());
            }
            results.get(index).put(rank, each.group(4));
        }
        return runs;
    }
}
