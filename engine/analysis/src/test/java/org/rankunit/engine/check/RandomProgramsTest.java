package org.rankunit.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.check.program.Explorer;
import org.rankunit.engine.check.program.Generator;
import org.rankunit.engine.check.program.Program;
import org.rankunit.engine.check.program.RunLog;
import org.rankunit.engine.timeline.RankLog;

/**
 * Compares the checks with the truth about random programs, which another implementation finds by trying all orders on data:
 * no program that can give two results is green, and none that cannot is red.
 */
@Tag("unit")
class RandomProgramsTest {

    private static final int PROGRAMS = Integer.getInteger("random.programs", 3_000);

    /** Programs that the checks have once judged falsely, which are rare among random ones. */
    private static final List<Long> JUDGED_FALSELY = List.of(129_677L, 130_336L, 3_018_998L);

    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:a()]";

    @TempDir
    Path folder;

    /** How many programs with a feature were right and wrong, and how many of each the checks judged otherwise. */
    private static final class Row {

        int right;
        int wrong;
        int alarms;
        int missed;
    }

    private final Map<String, Row> table = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();

    @Test
    void whatTheChecksSayIsTrue() throws IOException {
        long first = Long.getLong("random.seed", 1);
        int judged = 0;
        for (long seed = first; judged < PROGRAMS; seed++) {
            if (judge(seed)) {
                judged++;
            }
        }
        for (long seed : JUDGED_FALSELY) {
            assertThat(judge(seed)).isTrue();
        }
        print();

        assertThat(differences).isEmpty();
    }

    /**
     * Returns whether the program can be judged: it has few enough states, the run has ended, and data shows whether its
     * signals are right.
     */
    private boolean judge(long seed) throws IOException {
        Random random = Generator.random(seed);
        Program program = Generator.program(random);
        Optional<Boolean> wrong = Explorer.isWrong(program);
        Optional<RunLog> log = wrong.isEmpty() ? Optional.empty() : RunLog.of(program, ID, random);
        if (log.isEmpty() || (!wrong.get() && !program.sharesMemory())) {
            return false;
        }
        SimulatorCheck.Result result = SimulatorCheck.of(log.get().write(folder), ID, true, RankLog::open);
        boolean red = !result.findings().isEmpty();
        program.features().forEach(feature -> count(feature, wrong.get(), red));
        count("all", wrong.get(), red);
        if (red != wrong.get() || !result.notChecked().isEmpty()) {
            differences.add("seed " + seed + " is " + (wrong.get() ? "wrong" : "right") + ": " + program + "\n"
                    + result.notChecked() + String.join("\n", result.findings()));
        }
        return true;
    }

    private void count(String feature, boolean wrong, boolean red) {
        Row row = table.computeIfAbsent(feature, each -> new Row());
        if (wrong) {
            row.wrong++;
            row.missed += red ? 0 : 1;
        } else {
            row.right++;
            row.alarms += red ? 1 : 0;
        }
    }

    private void print() {
        System.out.printf("%-24s %8s %8s %8s %8s%n", "programs with", "right", "alarms", "wrong", "missed");
        table.forEach((feature, row) ->
                System.out.printf("%-24s %8d %8d %8d %8d%n", feature, row.right, row.alarms, row.wrong, row.missed));
    }
}
