package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rankunit.engine.cases.ChaosCase;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.launch.local.RunLeftovers;

/** One run of two tests that one fault strikes, and whether it was told once and right. */
final class ChaosRun {

    private final ChaosPlan plan;
    private final EngineRun run;
    private final OptionalLong struck;

    private ChaosRun(ChaosPlan plan, Path folder, EngineRun run) throws IOException {
        this.plan = plan;
        this.run = run;
        this.struck = plan.strike(folder).struckNanos();
    }

    /** Run it, with everything but the pool below {@code folder}. */
    static ChaosRun of(ChaosPlan plan, Path folder, int devices, Path pool) throws IOException {
        Files.createDirectories(folder.resolve("temporary"));
        Files.createDirectories(pool);
        return new ChaosRun(
                plan, folder, EngineRun.of(folder, plan.parameters(folder, devices, pool), ChaosCase.class));
    }

    /** From the strike to the first failure that JUnit was told, where there were both. */
    OptionalLong knownAfterNanos() {
        OptionalLong known = run.firstFailureNanos();
        return struck.isPresent() && known.isPresent()
                ? OptionalLong.of(known.getAsLong() - struck.getAsLong())
                : OptionalLong.empty();
    }

    void check() {
        List<String> results = run.results(ChaosCase.class).stream()
                .filter(line -> !line.startsWith("SKIPPED"))
                .map(line -> line.replace("(RankContext) [" + plan.ranks() + " ranks]", ""))
                .toList();
        List<String> messages = run.messages();
        assertThat(run.imbalance()).as("%s", plan).isEmpty();
        if (plan.isUnforeseen()) {
            checkUnforeseen(results, messages);
        } else {
            assertThat(struck).as("%s", plan).isPresent();
            assertThat(results).as("%s\n%s", plan, messages).isEqualTo(plan.expectedResults());
            assertThat(messages.isEmpty()).as("%s\n%s", plan, messages).isEqualTo(plan.isHarmless());
        }
        Pattern told = Pattern.compile(plan.expectedMessage());
        assertThat(messages)
                .as("%s", plan)
                .allSatisfy(message -> assertThat(message).matches(told));
        if (!plan.isEndless()) {
            assertThat(messages)
                    .as("%s", plan)
                    .allSatisfy(message -> assertThat(message).doesNotContain("-timeout)", "after it was released"));
            assertThat(knownAfterNanos().orElse(0)).as("%s", plan).isLessThan(60_000_000_000L);
        }
    }

    /** It may have come too early for any test, between two, or when both were over. */
    private void checkUnforeseen(List<String> results, List<String> messages) {
        assertThat(results.stream().map(line -> line.replaceFirst("\\w+ ", "")))
                .as("%s\n%s", plan, messages)
                .containsExactly("first", "second");
        if (struck.isEmpty()) {
            assertThat(messages).as("%s", plan).isEmpty();
        }
    }

    /** What is left of the ranks of a run: processes that the struck one had started, files that any has made. */
    static List<String> leftovers(ChaosPlan plan, Path folder) throws IOException {
        List<String> left = new ArrayList<>();
        try (Notes notes = Notes.in(folder)) {
            notes.of(plan.rank(), "child ").stream()
                    .filter(pid -> RunLeftovers.isAlive(Long.parseLong(pid)))
                    .forEach(pid -> left.add("child " + pid));
        }
        for (String of : List.of("temporary", "home")) {
            Path files = folder.resolve(of);
            if (Files.exists(files)) {
                try (Stream<Path> tree = Files.walk(files)) {
                    tree.filter(Files::isRegularFile).forEach(file -> left.add("file " + file));
                }
            }
        }
        return left;
    }
}
