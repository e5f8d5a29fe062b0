package org.rankunit.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.onNodes;
import static org.rankunit.engine.report.summary.Entries.passed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.summary.ReportSummary;

@Tag("unit")
class SummaryJsonTest {

    @Test
    void testsHaveNodesOnlyIfTheyRanOnSome() throws IOException {
        RunReport.TestEntry here = passed("RingTest", "copies", 10);
        RunReport.TestEntry there = onNodes(passed("RingTest", "sums", 10), List.of(0, 0), List.of("node1", "node2"));

        JsonNode tests = new ObjectMapper()
                .readTree(SummaryJson.write(ReportSummary.of(List.of(here, there)), List.of()))
                .path("tests");

        assertThat(tests.path(0).has("nodes")).isFalse();
        assertThat(tests.path(1).path("nodes").toString()).isEqualTo("[\"node1\",\"node2\"]");
    }
}
