package org.rankunit.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.control.RecordCodec;

class ReportWriterTest {

    private Path file;
    private ReportWriter writer;

    @BeforeEach
    void writeBelow(@TempDir Path temp) {
        Path folder = temp.resolve("target/rankunit");
        file = folder.resolve("report.json");
        writer = new ReportWriter(folder);
    }

    @Test
    void aReportIsReadBackAsItWasWritten() throws IOException {
        writer.write("1.0", "auto", List.of(entry("a", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    @Test
    void aTestThatIsRunAgainIsAFurtherAttempt() throws IOException {
        writer.write("1.0", "auto", List.of(entry("a", 1), entry("b", 1)));
        writer.write("1.0", "auto", List.of(entry("a", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1), entry("b", 1), entry("a", 2));
    }

    @Test
    void theReportOfAnEarlierRunIsReplaced() throws IOException {
        writer.write("1.0", "auto", List.of(entry("a", 1)));
        RunReport old = read();
        RunReport foreign =
                new RunReport(old.version(), "another run", old.platform(), old.java(), old.written(), old.tests());
        Files.writeString(file, new RecordCodec().encodePretty(foreign));

        writer.write("1.0", "auto", List.of(entry("b", 1)));

        assertThat(read().tests()).containsExactly(entry("b", 1));
    }

    @Test
    void whatIsNoReportIsReplaced() throws IOException {
        writer.write("1.0", "auto", List.of());
        Files.writeString(file, "{\"cut off");

        writer.write("1.0", "auto", List.of(entry("a", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    private RunReport read() throws IOException {
        return new RecordCodec().decode(Files.readString(file).getBytes(StandardCharsets.UTF_8), RunReport.class);
    }

    private static RunReport.TestEntry entry(String name, int attempt) {
        return new RunReport.TestEntry(
                "[engine:rankunit]/[class:" + name + "]",
                name,
                name + "()",
                attempt,
                new RunReport.Variant("a2a3sim", 2),
                List.of(4, 5),
                1,
                "failed",
                "because",
                null,
                new RunReport.Durations(1, 2, 3, 4, 5, 0),
                List.of(new RunReport.RankEntry(0, 4, "failed", 0.25, "wrong", "logs/0.log", List.of(), null)));
    }
}
