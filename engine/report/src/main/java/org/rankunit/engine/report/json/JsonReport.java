package org.rankunit.engine.report.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.engine.report.ReportFormat;
import org.rankunit.engine.report.RunReport;
import org.rankunit.golden.GoldenSummary;

/** The report as JSON, with the schema {@code docs/report.schema.json}. Thread-safe. */
public final class JsonReport implements ReportFormat {

    /**
     * Also writes whether each check passed, so that readers need not derive it from the number of mismatches. Writes nodes only if
     * there are any.
     */
    private final RecordCodec codec = new RecordCodec(
            Map.of(GoldenSummary.class, List.of("passed")),
            Map.of(
                    RunReport.GroupUse.class, List.of("nodes"),
                    RunReport.TestEntry.class, List.of("nodes"),
                    RunReport.Durations.class, List.of("goldens"),
                    RunReport.RankEntry.class, List.of("node")));

    /** What may be null in a report; the annotations that say so are not there at run time. */
    static final Map<Class<?>, Set<String>> NULLABLE = Map.of(
            RunReport.GroupUse.class, Set.of("up", "released"),
            RunReport.ClassUse.class, Set.of("end"),
            RunReport.TestEntry.class, Set.of("start", "reason", "hang", "retry", "timeline", "rounds", "bandwidth"),
            RunReport.Durations.class, Set.of("goldens"),
            RunReport.CollectiveRuns.class, Set.of("noPicture", "measured"),
            RunReport.RankEntry.class, Set.of("message", "leftOut", "failedIn", "end", "output", "node"),
            RunReport.PhaseTime.class, Set.of("start"));

    /** Values of the report, of tests and of ranks have a line each. */
    private static final int LEVELS = 4;

    @Override
    public String fileName() {
        return "report.json";
    }

    @Override
    public void write(RunReport report, Path file) throws IOException {
        Files.writeString(file, codec.encodePretty(report, LEVELS) + "\n");
    }

    /**
     * Read what {@link #write} wrote.
     *
     * @throws OtherVersionException if the file is a report of another version
     * @throws IOException if the file cannot be read, or is no report
     */
    public RunReport read(Path file) throws IOException {
        try {
            return decoded(file, Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            // Its own message has several lines, the last of which is about the parser.
            JsonLocation at = e.getLocation();
            String place = at == null ? "" : " in line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new IOException("it is not JSON" + place + ": " + e.getOriginalMessage(), e);
        }
    }

    private RunReport decoded(Path file, byte[] bytes) throws IOException {
        OptionalInt version = schemaVersion(bytes);
        if (version.isEmpty()) {
            throw new OtherVersionException(
                    file + " has no schemaVersion; only reports of version 1 lack it. This is RankUnit with version "
                            + RunReport.SCHEMA_VERSION + ".");
        } else if (version.getAsInt() != RunReport.SCHEMA_VERSION) {
            throw new OtherVersionException(file + " is a report with schemaVersion " + version.getAsInt()
                    + "; this is RankUnit with version " + RunReport.SCHEMA_VERSION + ".");
        }
        RunReport report = codec.decode(bytes, RunReport.class);
        requireComplete(report);
        return report;
    }

    /** The code that shows a report relies on what every report has. */
    private static void requireComplete(Object value) throws IOException {
        if (value instanceof List<?> list) {
            for (Object each : list) {
                requireComplete(each);
            }
        } else if (value instanceof Record record
                && record.getClass().getPackageName().equals(RunReport.class.getPackageName())) {
            for (RecordComponent part : record.getClass().getRecordComponents()) {
                Object found = valueOf(record, part);
                if (found != null) {
                    requireComplete(found);
                } else if (!NULLABLE.getOrDefault(record.getClass(), Set.of()).contains(part.getName())) {
                    throw new IOException(
                            record.getClass().getSimpleName() + " has no value for '" + part.getName() + "'");
                }
            }
        }
    }

    private static @Nullable Object valueOf(Record record, RecordComponent part) throws IOException {
        try {
            return part.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IOException("cannot read " + part, e);
        }
    }

    /** The version that a report states; empty if it states none. */
    private static OptionalInt schemaVersion(byte[] bytes) throws IOException {
        try (JsonParser in = new JsonFactory().createParser(bytes)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = in.currentName().equals("schemaVersion");
                if (in.nextToken() == JsonToken.VALUE_NUMBER_INT && found) {
                    return OptionalInt.of(in.getIntValue());
                }
                in.skipChildren();
            }
            return OptionalInt.empty();
        }
    }

    /** The file is a report, but of another version of the format; the message says which. */
    public static final class OtherVersionException extends IOException {

        private static final long serialVersionUID = 1L;

        OtherVersionException(String message) {
            super(message);
        }
    }
}
