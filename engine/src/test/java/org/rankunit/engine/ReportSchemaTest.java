package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ReportSchemaTest {

    @Test
    void aReportThatLacksItsTestsIsNone(@TempDir Path folder) throws IOException {
        Path report = Files.writeString(
                folder.resolve("report.json"),
                "{\"schemaVersion\":3,\"executions\":[],\"pictures\":[],\"version\":\"1\",\"run\":\"r\",\"platform\":\"auto\",\"java\":\"j\",\"written\":\"2026-11-21T00:00:00Z\"}");

        assertThat(ReportSchema.violations(report))
                .hasSize(1)
                .first()
                .asString()
                .contains("tests");
    }

    @Test
    void aReportOfAnotherVersionIsNone(@TempDir Path folder) throws IOException {
        Path report = Files.writeString(
                folder.resolve("report.json"),
                "{\"schemaVersion\":1,\"executions\":[],\"pictures\":[],\"tests\":[],\"version\":\"1\",\"run\":\"r\","
                        + "\"platform\":\"auto\",\"java\":\"j\",\"written\":\"2026-11-21T00:00:00Z\"}");

        assertThat(ReportSchema.violations(report))
                .hasSize(1)
                .first()
                .asString()
                .contains("schemaVersion");
    }
}
