package org.rankunit.engine.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.engine.report.RunReport;

/** The page in a real browser. Pictures of it are left in target/report-pictures. */
@Tag("ranks")
@Timeout(180)
class HtmlReportPageTest {

    private static final Path PICTURES =
            Path.of(System.getProperty("basedir", "")).resolve("target/report-pictures");
    private static final String SHOWN_ROWS = "[...document.querySelectorAll('#rows tr')].filter(row => !row.hidden)";
    private static final String TITLE = "document.querySelector('#detail h2').textContent";

    private static Path folder = Path.of("");
    private static Optional<Chromium> running = Optional.empty();

    @BeforeAll
    static void start(@TempDir Path temp) throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on this machine");
        folder = temp;
        running = Optional.of(Chromium.start(temp.resolve("profile")));
    }

    @AfterAll
    static void end() {
        if (running.isPresent()) {
            running.get().close();
        }
    }

    private static Chromium browser() {
        return running.orElseThrow();
    }

    private static void open(RunReport report) throws Exception {
        open(report, "");
    }

    private static void open(RunReport report, String hash) throws Exception {
        Path file = folder.resolve("index.html");
        Files.deleteIfExists(file);
        new HtmlReport().write(report, file);
        browser().size(1440, 900);
        browser().open(file, hash);
    }

    private static int shownRows() throws Exception {
        return browser().value(SHOWN_ROWS + ".length").asInt();
    }

    @Test
    void theFirstFailureIsOpenWithItsWholeText() throws Exception {
        open(SampleReports.failing());

        assertThat(browser().text(TITLE)).isEqualTo(SampleReports.wrongOutput().name());
        assertThat(browser().text("document.querySelector('#detail pre').textContent"))
                .isEqualTo(SampleReports.wrongOutput().reason());
        assertThat(browser()
                        .value("document.querySelector('#detail pre').getBoundingClientRect().bottom < innerHeight")
                        .asBoolean())
                .as("the cause is in the first screen")
                .isTrue();
        assertThat(browser().text("document.title")).isEqualTo("1 failed \u2013 RankUnit report");
        assertThat(browser().text("document.querySelector('h1').textContent"))
                .isEqualTo("RankUnit 1 failed, 1 aborted, 30 passed, 1 skipped");
        assertThat(browser().text("document.querySelector('#detail .golden').textContent"))
                .contains("float32, 256 elements, allclose with rtol 1.00e-5", "not on rank 0, within it on 1-3")
                .contains("[64]856.0692.0164", "[127]", "0MERE0.25below 9.765625E-4no");
        assertThat(browser()
                        .value("document.querySelectorAll('#detail .golden div > svg rect').length")
                        .asInt())
                .as("parts of the output")
                .isGreaterThanOrEqualTo(64);
        assertThat(browser().text("document.querySelector('#detail .golden .not-finite title').textContent"))
                .isEqualTo("rank 0, elements from 80 on: not finite");
        assertThat(browser().text("document.querySelector('#detail .golden figure svg').getAttribute('aria-label')"))
                .startsWith("Number of elements of output by the decade of their error: 12 from 1e-6, 90 from 1e-5");
        assertThat(browser()
                        .value("document.querySelectorAll('#detail rect.p-verify').length")
                        .asInt())
                .as("four ranks and the legend")
                .isEqualTo(5);
        assertThat(browser().text("document.querySelector('#detail .columns figure').textContent"))
                .contains("rank 0", "at org.example.TreduceTest.verify(TreduceTest.java:88)");
        assertThat(browser().complaints()).isEmpty();
        browser().screenshot(PICTURES.resolve("failing-light.png"));
    }

    @Test
    void thePageLoadsNothingAndItsPolicyHolds() throws Exception {
        open(SampleReports.failing(), "#devices");

        assertThat(browser().requested()).hasSize(1).allMatch(url -> url.startsWith("file:///"));
        browser()
                .value("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
                        + " document.body.append(s); const i = new Image(); i.src = 'https://example.org/x.png'; })()");
        assertThat(browser().value("window.ran === undefined").asBoolean()).isTrue();
        assertThat(browser().complaints()).anyMatch(text -> text.contains("Content Security Policy"));
    }

    @Test
    void whatTestsWriteIsNeverMarkup() throws Exception {
        open(SampleReports.hostile());

        String name = SampleReports.hostile().tests().get(0).name();
        List<Integer> characters = new ArrayList<>();
        browser()
                .value("Array.from({ length: " + TITLE + ".length }, (_, i) => " + TITLE + ".charCodeAt(i))")
                .forEach(each -> characters.add(each.asInt()));
        assertThat(characters).isEqualTo(name.chars().boxed().toList());
        assertThat(browser().text("document.title")).isEqualTo("1 failed \u2013 RankUnit report");
        assertThat(browser()
                        .value("document.images.length + document.scripts.length")
                        .asInt())
                .isEqualTo(2);
        assertThat(browser().complaints()).isEmpty();
    }

    @Test
    void aCollectiveHasItsPictureOrSaysWhyNot() throws Exception {
        open(CollectiveReports.drawn());

        assertThat(browser().text("document.querySelector('#detail .picture summary').textContent"))
                .isEqualTo("RingAllReduce, " + CollectiveReports.CALL);
        assertThat(browser()
                        .value("document.querySelectorAll('#detail .picture svg .transfer').length")
                        .asInt())
                .as("transfers of a ring of four ranks")
                .isEqualTo(24);
        assertThat(browser()
                        .value("[...document.querySelectorAll('#detail .picture rect')].every(each =>"
                                + " Math.abs(each.getBBox().width - each.getAttribute('width')) < 0.1)")
                        .asBoolean())
                .as("the style of the page leaves the picture its sizes")
                .isTrue();
        assertThat(browser().text("document.querySelector('#detail').textContent"))
                .contains("gradients", "weights", "Large of 64 ranks has 4,000 tasks: too many")
                .contains("MeshAllReduce, " + CollectiveReports.CALL + ": its picture is not among those")
                .contains("4096float3212.500.3280.4920", "@MinBusBandwidth(40.0) was not judged on a2a3sim");
        assertThat(browser().complaints()).isEmpty();
        browser().screenshot(PICTURES.resolve("collective-light.png"));
        browser().value("document.getElementById('theme').click()");
        browser().screenshot(PICTURES.resolve("collective-dark.png"));
        browser().size(390, 844);
        browser().value("document.querySelector('#detail .picture').scrollIntoView()");
        browser().screenshot(PICTURES.resolve("collective-phone.png"));
        browser().value("document.getElementById('theme').click()");
        assertThat(browser()
                        .value("document.documentElement.scrollWidth <= innerWidth")
                        .asBoolean())
                .as("the picture scrolls in its own area")
                .isTrue();
    }

    @Test
    void bandwidthsOfSeveralSizesArePlottedForEachAlgorithm() throws Exception {
        open(CollectiveReports.measured(), "#t2");

        assertThat(browser()
                        .value("document.querySelectorAll('#detail .plot polyline').length")
                        .asInt())
                .isEqualTo(2);
        assertThat(
                        browser()
                                .text(
                                        "[...document.querySelectorAll('#detail .plot circle title')].map(each => each.textContent).join()"))
                .isEqualTo("Mesh, float32: 4,096: 0.800,Mesh, float32: 65,536: 3.500,"
                        + "Ring, float32: 4,096: 0.500,Ring, float32: 65,536: 6.000");
        browser().screenshot(PICTURES.resolve("bandwidth-light.png"));
        browser().value("document.getElementById('theme').click()");
        browser().screenshot(PICTURES.resolve("bandwidth-dark.png"));
        browser().value("document.getElementById('theme').click()");
    }

    @Test
    void ofAPictureOnlyShapesAreShown() throws Exception {
        open(CollectiveReports.hostile());

        assertThat(browser().text("document.querySelector('#detail .picture svg').outerHTML"))
                .isEqualTo("<svg class=\"cp\"><rect class=\"bar\" x=\"1\" width=\"5\" height=\"5\"></rect></svg>");
        assertThat(browser().text("document.title")).isEqualTo("passed \u2013 RankUnit report");
        // The parser itself is held to the policy, before shapes are chosen.
        assertThat(browser().complaints()).isNotEmpty().allMatch(text -> text.contains("Content Security Policy"));
    }

    @Test
    void filterAndSearchShowLess() throws Exception {
        open(SampleReports.failing());
        assertThat(shownRows()).isEqualTo(33);

        browser().click("document.querySelector('[data-verdict=passed]')");
        assertThat(shownRows()).isEqualTo(3);
        assertThat(browser().text("document.querySelector('[data-verdict=passed]').getAttribute('aria-pressed')"))
                .isEqualTo("false");
        assertThat(browser().text("document.getElementById('shown').textContent"))
                .isEqualTo("3 of 33 results");
        browser().click("document.querySelector('[data-verdict=passed]')");

        browser().press("/");
        assertThat(browser().text("document.activeElement.id")).isEqualTo("search");
        browser().type("contiguous RUN");
        assertThat(shownRows()).as("texts of failures are searched").isEqualTo(1);
        browser().press("Escape");
        assertThat(shownRows()).isEqualTo(33);
        browser().type("case1");
        assertThat(shownRows()).isEqualTo(11);
    }

    @Test
    void theListFollowsTheKeyboard() throws Exception {
        open(SampleReports.failing());

        browser().press("j");
        assertThat(browser().text(TITLE)).isEqualTo("AssumingTest.assumes");
        assertThat(browser().text("document.querySelector('#rows tr[aria-current]').textContent"))
                .startsWith("!aborted");
        browser().press("ArrowDown");
        assertThat(browser().text(TITLE)).isEqualTo("AllReduceTest.case0");
        browser().press("ArrowUp");
        browser().press("k");
        browser().press("k");
        assertThat(browser().text(TITLE)).isEqualTo(SampleReports.wrongOutput().name());
        assertThat(browser().text("location.hash")).isEqualTo("#t4");
        browser().press("/");
        browser().type("x");
        assertThat(browser().text(TITLE))
                .as("letters in a field are letters")
                .isEqualTo(SampleReports.wrongOutput().name());
    }

    @Test
    void everyControlCanBeReachedByTab() throws Exception {
        open(SampleReports.hanging());
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            browser().press("Tab");
            reached.add(browser().text("document.activeElement.id || document.activeElement.tagName"));
        }

        assertThat(reached)
                .startsWith(
                        "skip", "to-tests", "to-devices", "to-about", "theme", "search", "order", "BUTTON", "BUTTON");
        browser().click("document.getElementById('skip')");
        assertThat(browser().text("document.activeElement.id")).isEqualTo("detail");
    }

    @Test
    void anAddressNamesATestOrAView() throws Exception {
        open(SampleReports.failing(), "#t3");
        assertThat(browser().text(TITLE)).isEqualTo("HaloExchangeTest.case2");

        browser().follow("#devices");
        assertThat(browser().text("document.querySelector('#devices-view').textContent"))
                .contains("Got no devices", "4 of 16 devices are held by process 812", "HaloExchangeTest", "never");
        assertThat(browser()
                        .value("document.querySelectorAll('#devices-view rect.p-bring-up').length")
                        .asInt())
                .as("six devices and the legend")
                .isEqualTo(7);
        assertThat(browser()
                        .value("document.getElementById('tests-view').hidden")
                        .asBoolean())
                .isTrue();
        browser().screenshot(PICTURES.resolve("devices-light.png"));
    }

    @Test
    void ranksAndDevicesOfNodesAreNamedWithTheirNode() throws Exception {
        open(SampleReports.acrossNodes());

        assertThat(browser().text("document.querySelector('#detail .chips').textContent"))
                .contains("devices 0-1 of node9, 0-1 of node10", "ranks 0-1 on node9, 2-3 on node10");
        assertThat(browser()
                        .text("[...document.querySelectorAll('#detail table.grid')[0].rows].map(row =>"
                                + " [...row.cells].map(cell => cell.textContent).join('|')).join('\\n')"))
                .isEqualTo("Ranks|Node|Outcome|In phase|Message\n3|node10|failed|run|java.lang.AssertionError: wrong\n"
                        + "0-2|node9, node10|released||because of rank 3: aborted");
        browser().screenshot(PICTURES.resolve("nodes-light.png"));
    }

    @Test
    void theSameNumberOnTwoNodesIsTwoDevices() throws Exception {
        open(SampleReports.acrossNodes(), "#devices");

        assertThat(browser()
                        .text("[...document.querySelectorAll('#devices-view svg.chart text')].map(each =>"
                                + " each.textContent).filter(text => text.startsWith('a2a3')).join('\\n')"))
                .isEqualTo("a2a3 0 of node9\na2a3 1 of node9\na2a3 0 of node10\na2a3 1 of node10");
        assertThat(browser().text("document.querySelector('#devices-view table.grid').textContent"))
                .contains("a2a3 0-1 of node9, 0-1 of node10");
        browser().screenshot(PICTURES.resolve("nodes-devices-light.png"));
    }

    @Test
    void aHangHasAPictureOfWhoWaitsForWhom() throws Exception {
        open(SampleReports.hanging());

        assertThat(browser()
                        .value("document.querySelectorAll('#detail path.edge').length")
                        .asInt())
                .isEqualTo(3);
        assertThat(browser().text("document.querySelector('#detail .node.awaited + text').textContent"))
                .isEqualTo("1");
        assertThat(browser().text("document.querySelector('#detail svg').getAttribute('aria-label')"))
                .isEqualTo("rank 0 waits for ranks 1; rank 2 waits for ranks 1; rank 3 waits for ranks 1");
        assertThat(browser().text("document.querySelector('#detail').textContent"))
                .contains("What the ranks printed last", "rank 3 got its input", "ended without a report");
    }

    @ParameterizedTest
    @CsvSource({
        "light,failing",
        "dark,failing",
        "light,hanging",
        "dark,hanging",
        "light,passing",
        "dark,devices",
        "light,devices",
        "dark,about",
        "light,about",
        "light,narrow",
        "dark,hostile"
    })
    void axeFindsNothing(String scheme, String what) throws Exception {
        browser().prefer(scheme);
        RunReport report = switch (what) {
            case "hanging" -> SampleReports.hanging();
            case "passing" -> SampleReports.passing(40, 8);
            case "hostile" -> SampleReports.hostile();
            default -> SampleReports.failing();
        };
        open(report, what.equals("devices") || what.equals("about") ? "#" + what : "");
        if (what.equals("narrow")) {
            browser().size(390, 800);
        }
        browser().value("document.querySelectorAll('details').forEach(each => each.open = true)");
        assertThat(browser()
                        .value("document.documentElement.classList.contains('dark')")
                        .asBoolean())
                .isEqualTo(scheme.equals("dark"));

        browser().value(axe());
        JsonNode violations = browser()
                .value(
                        "axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations.map(each =>"
                                + " each.id + ': ' + each.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')))");
        browser().screenshot(PICTURES.resolve(what + "-" + scheme + ".png"));

        assertThat(violations).isEmpty();
        assertThat(browser()
                        .value("axe.run(document, { resultTypes: ['passes'] }).then(found => found.passes.length)")
                        .asInt())
                .as("axe has looked at the page")
                .isGreaterThan(15);
    }

    @Test
    void theColoursOfTheSystemCanBeOverruled() throws Exception {
        browser().prefer("light");
        open(SampleReports.failing());
        String back = browser().text("getComputedStyle(document.body).backgroundColor");

        browser().click("document.getElementById('theme')");
        assertThat(browser().text("getComputedStyle(document.body).backgroundColor"))
                .isNotEqualTo(back);
        browser().click("document.getElementById('theme')");
        assertThat(browser().text("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(back);
        browser().value("localStorage.clear()");
    }

    @Test
    void twoThousandTestsAreShown() throws Exception {
        open(SampleReports.passing(2_000, 8));

        assertThat(shownRows()).isEqualTo(2_000);
        assertThat(browser()
                        .value("document.querySelectorAll('#detail rect.p-run').length")
                        .asInt())
                .isEqualTo(9);
        browser().screenshot(PICTURES.resolve("large-light.png"));
    }

    private static String axe() throws IOException {
        String version = System.getProperty("axe.version");
        try (InputStream in = HtmlReportPageTest.class.getResourceAsStream(
                "/META-INF/resources/webjars/axe-core/" + version + "/axe.min.js")) {
            if (in == null) {
                throw new IOException("axe-core " + version + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8) + ";0";
        }
    }
}
