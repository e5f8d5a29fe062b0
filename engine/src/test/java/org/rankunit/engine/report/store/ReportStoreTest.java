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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.control.wire.RecordCodec;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;

class ReportStoreTest {

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
        store.write("1.0", "auto", List.of(entry("a", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    @Test
    void aTestThatIsRunAgainIsAFurtherAttempt() throws IOException {
        store.write("1.0", "auto", List.of(entry("a", 1), entry("b", 1)));
        store.write("1.0", "auto", List.of(entry("a", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1), entry("b", 1), entry("a", 2));
    }

    @Test
    void theReportOfAnEarlierRunIsReplaced() throws IOException {
        store.write("1.0", "auto", List.of(entry("a", 1)));
        RunReport old = read();
        RunReport foreign =
                new RunReport(old.version(), "another run", old.platform(), old.java(), old.written(), old.tests());
        Files.writeString(file, new RecordCodec().encodePretty(foreign));

        store.write("1.0", "auto", List.of(entry("b", 1)));

        assertThat(read().tests()).containsExactly(entry("b", 1));
    }

    @Test
    void whatIsNoReportIsReplaced() throws IOException {
        store.write("1.0", "auto", List.of());
        Files.writeString(file, "{\"cut off");

        store.write("1.0", "auto", List.of(entry("a", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1));
    }

    @Test
    void whoeverHoldsTheLockForTooLongIsNamedAndTheReportStays() throws IOException {
        store.write("1.0", "auto", List.of(entry("a", 1)));
        Path lock = file.resolveSibling(".report.lock");

        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> store.write("1.0", "auto", List.of(entry("b", 1))))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + " says nothing of this run: another process has held " + lock
                            + " for 20 ms. Find it with lslocks, and continue or end it.");
        }
        store.write("1.0", "auto", List.of(entry("c", 1)));

        assertThat(read().tests()).containsExactly(entry("a", 1), entry("c", 1));
    }

    private RunReport read() throws IOException {
        return new JsonReport().read(file);
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
                null,
                new RunReport.Durations(7, 1, 2, 3, 4, 5, 0),
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
                        List.of(new RunReport.PhaseTime("run", 1.5)),
                        List.of(new RunReport.Busy("stream 1", 0.5)))));
    }
}
