package org.rankunit.engine.report.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.control.wire.RecordCodec;
import org.rankunit.engine.report.ReportFormat;
import org.rankunit.engine.report.RunReport;
import org.rankunit.golden.GoldenSummary;

/** The report as JSON, with the schema {@code docs/report.schema.json}. Thread-safe. */
public final class JsonReport implements ReportFormat {

    /** Also writes whether each check passed, so that readers need not derive it from the number of mismatches. */
    private final RecordCodec codec = new RecordCodec(Map.of(GoldenSummary.class, List.of("passed")));

    @Override
    public String fileName() {
        return "report.json";
    }

    @Override
    public void write(RunReport report, Path file) throws IOException {
        Files.writeString(file, codec.encodePretty(report) + "\n");
    }

    /**
     * Read what {@link #write} wrote.
     *
     * @throws IOException if the file cannot be read, or is not a report of this version
     */
    public RunReport read(Path file) throws IOException {
        return codec.decode(Files.readString(file).getBytes(StandardCharsets.UTF_8), RunReport.class);
    }
}
