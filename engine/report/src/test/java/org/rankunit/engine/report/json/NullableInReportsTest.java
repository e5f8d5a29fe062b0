package org.rankunit.engine.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.report.RunReport;

@Tag("unit")
class NullableInReportsTest {

    @Test
    void aReportMayLackWhatItsRecordsSay() {
        Map<String, Set<String>> annotated = new TreeMap<>();
        for (Class<?> type : RunReport.class.getDeclaredClasses()) {
            if (type.isRecord()) {
                Set<String> names = new TreeSet<>();
                Arrays.stream(type.getRecordComponents())
                        .filter(part -> part.getAnnotatedType().isAnnotationPresent(Nullable.class))
                        .map(RecordComponent::getName)
                        .forEach(names::add);
                if (!names.isEmpty()) {
                    annotated.put(type.getName(), names);
                }
            }
        }
        Map<String, Set<String>> read = new TreeMap<>();
        JsonReport.NULLABLE.forEach((type, names) -> read.put(type.getName(), new TreeSet<>(names)));

        assertThat(read).isEqualTo(annotated);
    }
}
