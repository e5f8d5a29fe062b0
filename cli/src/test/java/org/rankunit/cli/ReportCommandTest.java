package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.failed;
import static org.rankunit.engine.report.summary.Entries.ofShard;
import static org.rankunit.engine.report.summary.Entries.passed;
import static org.rankunit.engine.report.summary.Entries.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.cli.OtherJvm.Said;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;

/** {@code rankunit report} in other processes, most of it in one; they have nothing of JUnit. */
@Tag("ranks")
@Timeout(120)
class ReportCommandTest {

    @RegisterExtension
    static final CommandsInOneJvm COMMANDS = new CommandsInOneJvm();

    @TempDir
    Path temporary;

    @BeforeEach
    void writeReports() throws IOException {
        write(
                "a/target/rankunit",
                report(
                        "1",
                        "2026-11-23T10:00:00.000Z",
                        passed("RingTest", "copies", 3),
                        ofShard(2, "GemmTest", "tiles")));
        write(
                "b/target/rankunit",
                report("2", "2026-11-23T10:00:01.000Z", failed("GemmTest", "tiles", "64 of 256\nelements differ")));
    }

    private Path write(String folder, RunReport content) throws IOException {
        Path file = temporary.resolve(folder).resolve("report.json");
        Files.createDirectories(file.getParent());
        new JsonReport().write(content, file);
        return file;
    }

    private String at(String place) {
        return temporary.resolve(place).toString();
    }

    @Test
    void theTestsOfAllModulesAreListedAndFailuresSayWhy() throws Exception {
        Said said = OtherJvm.rankunit("report", temporary.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.out())
                .containsExactly(
                        "  passed   RingTest.copies [2 ranks, a2a3sim]",
                        "  FAILED   GemmTest.tiles [2 ranks, a2a3sim]",
                        "",
                        "FAILED GemmTest.tiles [2 ranks, a2a3sim]",
                        "  64 of 256",
                        "  elements differ",
                        "",
                        "Tests run: 2, Failures: 1, Skipped: 0");
        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(COMMANDS.run("report", at("a")).code()).isEqualTo(ExitCodes.FINE);
    }

    @Test
    void whatIsNoReportIsNamedAndTheOthersAreShown() throws Exception {
        Files.writeString(temporary.resolve("cut.json"), "{\"version\" : ");
        Files.writeString(temporary.resolve("later.json"), "{\"schemaVersion\" : 99}");
        Files.createDirectories(temporary.resolve("empty"));

        Said said = COMMANDS.run(
                "report", at("cut.json"), at("later.json"), at("none.json"), at("empty"), at("a/target/rankunit"));

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.out()).endsWith("Tests run: 2, Failures: 0, Skipped: 1");
        assertThat(said.err())
                .contains(
                        at("empty") + ": there is no report.json in this folder",
                        at("cut.json") + ": is not a complete report: ",
                        at("later.json")
                                + " is a report with schemaVersion 99; this is RankUnit with version 3. Read it"
                                + " with the version that wrote it.",
                        at("none.json") + ": there is no such file.");
    }

    @Test
    void mergingWritesOneReportThatIsNoSourceOfTheNextMerge() throws Exception {
        String all = at("all/rankunit");
        for (int i = 0; i < 2; i++) {
            Said said = COMMANDS.run("report", "--merge", all, temporary.toString());
            assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.NOT_WELL);
        }

        RunReport merged = new JsonReport().read(Path.of(all, "report.json"));
        assertThat(merged.tests()).extracting(RunReport.TestEntry::attempt).containsExactly(1, 1);
        assertThat(merged.tests().get(0).ranks().get(0).log()).isEqualTo("../../a/target/rankunit/logs/rank-0.log");
    }

    @Test
    void aFolderThatCannotBeWrittenIsTold() throws Exception {
        Said said = COMMANDS.run("report", "--merge", at("a/target/rankunit/report.json"), at("b"));

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).startsWith("--merge " + at("a/target/rankunit/report.json") + ": ");
    }

    @Test
    void aStepOnGitHubGetsAnnotationsAndAPageOfTheJob() throws Exception {
        Path page = Files.writeString(temporary.resolve("summary.md"), "before\n");

        Said said = OtherJvm.rankunit(
                Map.of("GITHUB_STEP_SUMMARY", page.toString(), "GITHUB_WORKSPACE", temporary.toString()),
                List.of(),
                "report",
                "--github",
                temporary.toString());

        assertThat(said.out())
                .containsExactly(
                        "::error title=GemmTest.tiles [2 ranks%2C a2a3sim]::64 of 256%0Aelements differ",
                        "Tests run: 2, Failures: 1, Skipped: 0");
        assertThat(page).content().startsWith("before\n### Device tests\n").contains("| 2 | 1 | 1 | 0 | 0 |");
        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
    }

    @Test
    void gitHubIsNeededForItsSummary() throws Exception {
        Said said = OtherJvm.rankunit(Map.of("GITHUB_STEP_SUMMARY", ""), List.of(), "report", "--github", at("a"));

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).startsWith("--github: GITHUB_STEP_SUMMARY is not set");
    }

    @Test
    void programsGetJsonAndOnlyOneFormAtATime() throws Exception {
        Said said = COMMANDS.run("report", "--json", temporary.toString());

        assertThat(said.text()).contains("\"failed\" : 1", "\"name\" : \"GemmTest.tiles\"", "\"errors\" : [ ]");
        assertThat(COMMANDS.run("report", "--json", "--markdown", at("a")).code())
                .isEqualTo(ExitCodes.USAGE);
    }
}
