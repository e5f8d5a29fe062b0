package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.PhaseCases;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;

/** The phases of tests on real ranks, in the report and in failures. */
@Tag("ranks")
@Timeout(120)
class PhasesRunsTest {

    /** Milliseconds are rounded to microseconds. */
    private static final double ROUNDED = 0.002;

    private static Path file = Path.of("");
    private static EngineRun run;
    private static RunReport report;

    @BeforeAll
    static void runAll(@TempDir Path folder) throws Exception {
        run = EngineRun.of(
                folder,
                Map.of("rankunit.sim.devices", "4", "rankunit.max-parallel", "1"),
                PhaseCases.Passing.class,
                PhaseCases.Failing.class);
        file = folder.resolve("out/report.json");
        report = new JsonReport().read(file);
    }

    @Test
    void theFirstTestOfAGroupHasTheBringUpOfItsRanks() {
        assertThat(phases("goesThroughAll"))
                .containsOnly(List.of("bring up", "barrier", "run", "barrier", "collect outputs", "verify"));
    }

    @Test
    void whatDoesNotHappenIsLeftOut() {
        assertThat(phases("runsOnly")).containsOnly(List.of("barrier", "run"));
        assertThat(phases("hasABuffer")).containsOnly(List.of("bring up", "barrier", "run"));
        assertThat(phases("isSkipped")).containsOnly(List.of());
    }

    @Test
    void theLastTestOfAGroupHasItsTearDown() {
        assertThat(phases("isTheLast")).containsOnly(List.of("barrier", "run", "tear down"));
        assertThat(ranks("isTheLast"))
                .allSatisfy(
                        rank -> assertThat(rank.phases().get(2).milliseconds()).isPositive());
    }

    @Test
    void momentsOfAllRanksAreOfOneClock() {
        RunReport.TestEntry test = test("goesThroughAll");
        double start = Objects.requireNonNull(test.start());
        assertThat(test.ranks()).allSatisfy(rank -> {
            double end = Objects.requireNonNull(rank.end());
            assertThat(rank.phases())
                    .extracting(RunReport.PhaseTime::start)
                    .doesNotContainNull()
                    .isSorted();
            assertThat(rank.spans())
                    .extracting(RunReport.PhaseTime::name)
                    .contains("bring up", "barrier", "run", "collect outputs", "verify");
            assertThat(rank.spans())
                    .filteredOn(span -> List.of("run", "verify").contains(span.name()))
                    .hasSize(2)
                    .allSatisfy(span -> {
                        assertThat(Objects.requireNonNull(span.start())).isBetween(start, end);
                        assertThat(Objects.requireNonNull(span.start()) + span.milliseconds())
                                .isLessThanOrEqualTo(end + ROUNDED);
                    });
        });
        assertThat(test("isSkipped").start()).isNull();
        assertThat(ranks("isTheLast"))
                .allSatisfy(rank -> assertThat(
                                Objects.requireNonNull(rank.phases().get(2).start()))
                        .isGreaterThanOrEqualTo(Objects.requireNonNull(rank.end())));
    }

    @Test
    void theReportSaysWhoHeldWhichDevicesWhen() {
        assertThat(report.executions()).hasSize(1);
        RunReport.Execution execution = report.executions().get(0);
        assertThat(execution.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(execution.groups()).isNotEmpty().allSatisfy(group -> {
            assertThat(group.devices()).hasSize(2);
            assertThat(group.uses()).isNotEmpty();
            List<Double> moments = new ArrayList<>(List.of(group.asked(), group.leased()));
            moments.add(Objects.requireNonNull(group.up()));
            group.uses().forEach(use -> {
                moments.add(use.start());
                moments.add(Objects.requireNonNull(use.end()));
            });
            moments.add(Objects.requireNonNull(group.released()));
            moments.add(execution.milliseconds());
            assertThat(moments).isSorted();
        });
        assertThat(execution.groups())
                .flatExtracting(RunReport.GroupUse::uses)
                .extracting(RunReport.ClassUse::className)
                .contains("PhaseCases$Passing", "PhaseCases$Failing");
        assertThat(execution.refusals()).isEmpty();
        assertThat(report.tests()).extracting(RunReport.TestEntry::execution).containsOnly(1);
    }

    @Test
    void theStackOfAFailureStandsInTheReport() {
        assertThat(ranks("inTheBody").get(0).stack().get(0)).startsWith("    at " + PhaseCases.class.getName());
        assertThat(ranks("goesThroughAll").get(0).stack()).isEmpty();
    }

    @Test
    void theReportNamesThePhaseInWhichARankFailed() {
        assertThat(ranks("inTheBody")).extracting(RunReport.RankEntry::failedIn).containsOnly("run");
        assertThat(ranks("inABarrier").get(0).failedIn()).isEqualTo("barrier");
        assertThat(ranks("whileItCollects").get(0).failedIn()).isEqualTo("collect outputs");
        assertThat(ranks("onAGolden"))
                .extracting(RunReport.RankEntry::failedIn)
                .contains("verify")
                .doesNotContain("run");
        assertThat(ranks("goesThroughAll"))
                .extracting(RunReport.RankEntry::failedIn)
                .containsOnlyNulls();
    }

    @Test
    void aFailureNamesThePhaseUnlessItIsTheBodyOrSaysSoItself() {
        assertThat(message("whileItCollects"))
                .contains(
                        "failed on rank 0\n\n  in the phase 'collect outputs': org.rankunit.device.DeviceException: device");
        assertThat(List.of(message("inTheBody"), message("inABarrier"), message("onAGolden")))
                .noneMatch(text -> text.contains("in the phase"));
    }

    @Test
    void theReportIsAsItsSchemaSays() throws Exception {
        assertThat(ReportSchema.violations(file)).isEmpty();
    }

    private static String message(String test) {
        return run.message(PhaseCases.Failing.class, test + "(RankContext)");
    }

    private static List<List<String>> phases(String test) {
        return ranks(test).stream()
                .map(rank ->
                        rank.phases().stream().map(RunReport.PhaseTime::name).toList())
                .toList();
    }

    private static List<RunReport.RankEntry> ranks(String test) {
        List<RunReport.RankEntry> ranks = test(test).ranks();
        assertThat(ranks).hasSize(2);
        return ranks;
    }

    private static RunReport.TestEntry test(String test) {
        return report.tests().stream()
                .filter(entry -> entry.name().contains("." + test))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not in the report: " + test));
    }
}
