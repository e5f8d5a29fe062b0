package org.rankunit.engine.report.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.failed;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for any text in a report. */
@Tag("unit")
class SummaryLimitsTest {

    private static final Path NOWHERE = Path.of("/nonexistent/a/b/c/d");
    private static final String LETTERS = "%:,\n\r\u2028 a\uD83D\uDE00\u0000[]*";

    private static String text(Random random, int length) {
        return random.ints(length, 0, LETTERS.length())
                .mapToObj(i -> String.valueOf(LETTERS.charAt(i)))
                .reduce("", String::concat);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anAnnotationIsOneLineWhosePropertiesEndWhereTheyShould(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            String line = GitHubAnnotations.lines(
                            ReportSummary.of(List.of(failed("T", text(random, i % 40), text(random, i)))),
                            NOWHERE,
                            NOWHERE)
                    .get(0);

            assertThat(line).doesNotContain("\n", "\r").startsWith("::error title=");
            String properties = line.substring("::error ".length(), line.indexOf("::", 2));
            assertThat(properties.substring("title=".length())).doesNotContain(":", ",");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3000})
    void aPageFitsIntoAStepHoweverManyTestsFail(int tests) {
        String reason = "\u00e4".repeat(390);

        String page = MarkdownSummary.of(
                ReportSummary.of(IntStream.range(0, tests)
                        .mapToObj(i -> failed("T", "t" + i, reason))
                        .toList()),
                "Tests");

        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(MarkdownSummary.MAX_BYTES);
        assertThat(page).contains("| " + tests + " | 0 | " + tests + " | 0 | 0 |");
    }
}
