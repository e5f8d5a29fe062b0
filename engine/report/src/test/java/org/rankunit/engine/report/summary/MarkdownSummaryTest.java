package org.rankunit.engine.report.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.failed;
import static org.rankunit.engine.report.summary.Entries.ofShard;
import static org.rankunit.engine.report.summary.Entries.onNodes;
import static org.rankunit.engine.report.summary.Entries.passed;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MarkdownSummaryTest {

    @Test
    void failedTestsComeFirstAndWhatTheySaidIsNoMarkup() {
        String page = MarkdownSummary.of(
                ReportSummary.of(List.of(
                        passed("RingTest", "copies", 1234.5),
                        failed("RingTest", "sums_all", "output: *64* differ\n``` <b>"),
                        ofShard(2, "GemmTest", "tiles"))),
                "Device tests");

        assertThat(page).isEqualTo("""
                ### Device tests

                | tests | passed | failed | skipped | passed after a rerun |
                |---|---|---|---|---|
                | 3 | 1 | 1 | 1 | 0 |

                **RingTest.sums\\_all \\[2 ranks, a2a3sim\\]** failed on devices 4, 5

                    output: *64* differ
                    ``` <b>

                | slowest tests | seconds |
                |---|---|
                | RingTest.copies \\[2 ranks, a2a3sim\\] | 1.23 |
                | RingTest.sums\\_all \\[2 ranks, a2a3sim\\] | 0.01 |

                Devices used: a2a3sim 4, 5
                """);
    }

    @Test
    void devicesOfNodesAreNamedWithThemAndApartFromThoseOfOneMachine() {
        String page = MarkdownSummary.of(
                ReportSummary.of(List.of(
                        passed("RingTest", "copies", 10),
                        onNodes(
                                failed("RingTest", "sums", "wrong"),
                                List.of(0, 1, 1, 0),
                                List.of("node_1", "node_1", "node_2", "node_2")))),
                "Device tests");

        assertThat(page)
                .contains("\n**RingTest.sums \\[2 ranks, a2a3sim\\]** failed on devices"
                        + " 0-1 of node\\_1, 0-1 of node\\_2\n")
                .endsWith("\nDevices used: a2a3sim 4, 5; a2a3sim 0-1 of node\\_1, 0-1 of node\\_2\n");
    }
}
