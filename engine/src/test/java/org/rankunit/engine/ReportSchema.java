package org.rankunit.engine;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The published schema of {@code report.json}. */
public final class ReportSchema {

    private ReportSchema() {}

    /** What the schema finds wrong with a report. */
    public static List<String> violations(Path report) throws IOException {
        Path schema = Path.of(System.getProperty("basedir", "")).resolve("../docs/report.schema.json");
        JsonSchema rules =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(Files.readString(schema));
        return rules
                .validate(
                        Files.readString(report),
                        InputFormat.JSON,
                        context -> context.getExecutionConfig().setFormatAssertionsEnabled(true))
                .stream()
                .map(ValidationMessage::toString)
                .toList();
    }
}
