package org.rankunit.engine.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.report.RunReport;

@Tag("unit")
class HtmlReportTest {

    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);
    private static final int MIB = 1 << 20;

    private static String page(RunReport report) throws IOException {
        return HtmlReport.page(report, HtmlReport.MAX_BYTES);
    }

    private static String dataOf(String page) {
        Matcher found = DATA.matcher(page);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static List<String> textsOf(String page) throws IOException {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : new ObjectMapper().readTree(dataOf(page)).path("texts")) {
            texts.add(text.asText());
        }
        return texts;
    }

    @Test
    void noTextEndsTheElementThatItIsIn() throws IOException {
        RunReport hostile = SampleReports.hostile();

        String page = page(hostile);

        assertThat(dataOf(page)).matches("[ -~]*").doesNotContain("<", ">", "&", "'");
        assertThat(page.split("<script", -1)).hasSize(3);
        assertThat(textsOf(page)).contains(hostile.tests().get(0).name());
    }

    @Test
    void whatTheSamePageIsMadeFromIsTheSame() throws IOException {
        assertThat(page(SampleReports.failing())).isEqualTo(page(SampleReports.failing()));
    }

    @Test
    void thePolicyNamesTheDigestsOfStyleAndScriptAndNothingElse() throws IOException {
        assertThat(page(SampleReports.failing()))
                .containsPattern("content=\"default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src"
                        + " 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'\"")
                .doesNotContain("@policy@", "@style@", "@script@", "http://www.w3.org/1999", "unsafe");
    }

    @Test
    void aTextStandsInThePageOnce() throws IOException {
        String page = page(SampleReports.passing(200, 8));

        assertThat(textsOf(page)).doesNotHaveDuplicates().contains("AllReduceTest.case0", "verify");
    }

    @Test
    void numbersAreNotLongerThanTheyAreExact() throws IOException {
        assertThat(dataOf(page(SampleReports.passing(1, 1))))
                .contains("1.2345679E-4", "310.25", "1.23456E-6")
                .doesNotContain("0.000123456789", ".0,");
    }

    @Test
    void twoThousandTestsOnEightRanksAreLessThanTwentyMegabytes() throws IOException {
        assertThat(page(SampleReports.passing(2_000, 8)).length()).isLessThan(20_000_000);
    }

    @Test
    void aPageThatWouldBeTooLargeHasOnlyFailuresInDetail() throws IOException {
        List<RunReport.TestEntry> tests =
                new ArrayList<>(SampleReports.passing(100, 8).tests());
        tests.add(SampleReports.wrongOutput());
        RunReport report = SampleReports.report(tests);
        int whole = page(report).length();

        String less = HtmlReport.page(report, whole / 5);

        assertThat(less.length()).isLessThan(whole);
        assertThat(dataOf(less)).contains("\"leftOut\":\"Goldens and phases of tests that passed\"", "692.0");
        String least = HtmlReport.page(report, 1);
        assertThat(least.length()).isLessThan(less.length());
        assertThat(dataOf(least)).contains("Ranks of all tests but the first 50", "692.0");
        assertThat(textsOf(least)).contains("AllReduceTest.case96");
    }

    @Test
    void longTextsAreShortenedSoThatThePageCanBeOpened() throws IOException {
        List<RunReport.TestEntry> tests = new ArrayList<>();
        RunReport.TestEntry base = SampleReports.wrongOutput();
        for (int i = 0; i < 400; i++) {
            String text = "reason " + i + " " + "x".repeat(100_000);
            tests.add(new RunReport.TestEntry(
                    base.uniqueId() + i,
                    base.name(),
                    base.displayName(),
                    1,
                    1,
                    base.variant(),
                    base.devices(),
                    1,
                    base.start(),
                    "failed",
                    text,
                    null,
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    base.milliseconds(),
                    base.ranks(),
                    base.nodes()));
        }

        String page = page(SampleReports.report(tests));

        assertThat(page.length()).isLessThan(12 * MIB);
        List<String> reasons = textsOf(page).stream()
                .filter(text -> text.startsWith("reason "))
                .toList();
        assertThat(reasons).hasSize(400);
        assertThat(reasons.get(0))
                .hasSizeGreaterThan(60_000)
                .endsWith(" more characters; report.json has all of them)");
        assertThat(reasons.get(399)).hasSizeGreaterThan(160);
    }
}
