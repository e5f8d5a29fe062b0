package org.rankunit.engine.report.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.RankOutcome.RankWait;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;

@Tag("unit")
class ReportStoreTest {

    private static final RunReport.Execution EXECUTION = new RunReport.Execution(
            1,
            7,
            "2026-11-23T10:00:00Z",
            20,
            List.of(new RunReport.GroupUse(
                    1,
                    "a2a3sim",
                    List.of(4, 5),
                    "A",
                    0,
                    1,
                    2.0,
                    null,
                    List.of(new RunReport.ClassUse("A", 2, 3.0)),
                    List.of())),
            List.of(new RunReport.Refusal("B", "a2a3sim", 2, 1, 2, "too few")));

    private Path file;
    private ReportStore store;

    @BeforeEach
    void writeBelow(@TempDir Path temp) {
        Path folder = temp.resolve("target/rankunit");
        file = folder.resolve("report.json");
        store = new ReportStore(folder, Duration.ofMillis(20));
    }

    @Test
    void aReportIsReadBackAsItWasWritten() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    @Test
    void valuesOfTestsAndRanksHaveALineEachAndWhatIsBelowHasNone() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());

        assertThat(Files.readString(file))
                .contains(
                        "\n  \"schemaVersion\" : 3,\n",
                        "\n    \"group\" : 1,\n",
                        "\n      \"failedIn\" : \"verify\",\n")
                .contains("\n      \"busy\" : [ { \"lane\" : \"stream 1\", \"share\" : 0.5 } ],\n");
    }

    @Test
    void thePageHasWhatAllExecutionsOfARunHaveWritten() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("first", 1)), List.of());
        store.write("1.0", "auto", EXECUTION, List.of(entry("second", 1)), List.of());

        assertThat(Files.readString(file.resolveSibling("index.html")))
                .startsWith("<!doctype html>")
                .contains("\"first\"", "\"second\"");
    }

    @Test
    void aPageThatCannotBeWrittenIsNamedAndTheOtherFileIsThere() throws IOException {
        Path page = file.resolveSibling("index.html");
        Files.createDirectories(page.resolve("in the way"));

        assertThatThrownBy(() -> store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(page + " cannot be written and does not contain this run: ")
                .hasMessageEndingWith(". Make room there, or set rankunit.output-dir.");
        assertThat(read().tests()).containsExactly(entry("a", 1));
        assertThat(file.resolveSibling(".index.html.new")).doesNotExist();
    }

    @Test
    void aTestThatIsRunAgainIsAFurtherAttempt() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1), entry("b", 1)), List.of());
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());

        assertThat(read().tests()).containsExactly(entry("a", 1), entry("b", 1), entry("a", 2, 2));
    }

    @Test
    void theReportOfAnEarlierRunIsReplaced() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());
        RunReport old = read();
        RunReport foreign = new RunReport(
                old.schemaVersion(),
                old.version(),
                "another run",
                old.platform(),
                old.java(),
                old.written(),
                old.executions(),
                old.tests(),
                old.pictures());
        Files.writeString(file, new RecordCodec().encodePretty(foreign));

        store.write("1.0", "auto", EXECUTION, List.of(entry("b", 1)), List.of());

        assertThat(read().tests()).containsExactly(entry("b", 1));
    }

    @Test
    void whatIsNoReportIsReplaced() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(), List.of());
        Files.writeString(file, "{\"cut off");

        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    @Test
    void whoeverHoldsTheLockForTooLongIsNamedAndTheReportStays() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());
        Path lock = file.resolveSibling(".report.lock");

        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> store.write("1.0", "auto", EXECUTION, List.of(entry("b", 1)), List.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + " does not contain this run: another process has held " + lock
                            + " for 20 ms. Find it with lslocks, and resume or end it.");
        }
        store.write("1.0", "auto", EXECUTION, List.of(entry("c", 1)), List.of());

        assertThat(read().tests()).containsExactly(entry("a", 1), entry("c", 1, 2));
    }

    @Test
    void eachExecutionOfARunHasItsOwnPlace() throws IOException {
        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());
        store.write("1.0", "auto", EXECUTION, List.of(entry("b", 1)), List.of());

        assertThat(read().executions()).containsExactly(EXECUTION, EXECUTION.numbered(2));
        assertThat(read().tests()).containsExactly(entry("a", 1), entry("b", 1, 2));
    }

    @Test
    void aReportOfAnotherVersionIsNamedAndReplaced() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"version\":\"0.1\",\"run\":\"r\",\"tests\":[]}");
        assertThatThrownBy(this::read)
                .isInstanceOf(JsonReport.OtherVersionException.class)
                .hasMessage(file + " has no schemaVersion; only reports of version 1 lack it."
                        + " This is RankUnit with version 3.");
        Files.writeString(file, "{\"a\":{\"schemaVersion\":3},\"schemaVersion\":4}");
        assertThatThrownBy(this::read)
                .isInstanceOf(JsonReport.OtherVersionException.class)
                .hasMessage(file + " is a report with schemaVersion 4; this is RankUnit with version 3.");

        store.write("1.0", "auto", EXECUTION, List.of(entry("a", 1)), List.of());

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    private RunReport read() throws IOException {
        return new JsonReport().read(file);
    }

    private static RunReport.TestEntry entry(String name, int attempt) {
        return entry(name, attempt, 1);
    }

    private static RunReport.TestEntry entry(String name, int attempt, int execution) {
        return new RunReport.TestEntry(
                "[engine:rankunit]/[class:" + name + "]",
                name,
                name + "()",
                attempt,
                execution,
                new RunReport.Variant("a2a3sim", 2),
                List.of(4, 5),
                1,
                12.5,
                "failed",
                "because",
                new RunReport.Hang("all wait", List.of(new RankWait(0, "barrier #1", List.of(1)))),
                null,
                null,
                new RunReport.Rounds(3, 1, 0, "fast", List.of(new RunReport.RoundPhase(0, "run", 1, 2, 3))),
                List.of(new RunReport.CollectiveRuns(
                        "Ring",
                        "all-reduce",
                        "gradients",
                        20,
                        48,
                        "too large",
                        new RunReport.Measured(64, "int8", 2, 3, 4, -1))),
                "judged",
                new RunReport.Durations(null, 7, 1, 2, 3, 4, 5, 0),
                List.of(new RunReport.RankEntry(
                        0,
                        4,
                        "failed",
                        0.25,
                        "wrong",
                        "logs/0.log",
                        List.of(),
                        null,
                        "verify",
                        List.of(new RunReport.PhaseTime("run", 12.5, 1.5)),
                        List.of(new RunReport.Busy("stream 1", 0.5)),
                        14.0,
                        List.of(new RunReport.PhaseTime("run", 12.5, 1.5)),
                        List.of("    at a.B.c(B.java:1)"),
                        "printed",
                        null)),
                List.of());
    }
}
