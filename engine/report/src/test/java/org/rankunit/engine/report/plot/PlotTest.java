package org.rankunit.engine.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

@Tag("unit")
class PlotTest {

    private static final Plot PLOT = new Plot(
            "Title <1>",
            "size",
            "speed",
            List.of(
                    new Curve("one", List.of(new Curve.Point(1024, 1), new Curve.Point(2048, 4))),
                    new Curve("\"two\"", List.of(new Curve.Point(1024, 2)))));

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document svg) {
        NodeList all = svg.getElementsByTagName("text");
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> all.item(i).getTextContent())
                .toList();
    }

    @Test
    void theDrawingNamesItselfItsAxesAndItsCurves() throws Exception {
        Document svg = parse(PLOT.svg());

        assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("Title <1>");
        assertThat(texts(svg))
                .contains("Title <1>", "size (logarithmic)", "speed", "1K", "2K", "0", "4", "one", "\"two\"");
    }

    @Test
    void aPointIsWhereItsAxesSay() throws Exception {
        NodeList circles = parse(PLOT.svg()).getElementsByTagName("circle");

        assertThat(circles.getLength()).isEqualTo(3);
        Element largest = (Element) circles.item(1);
        // The right end of the axis, and its upper end.
        assertThat(largest.getAttribute("cx")).isEqualTo("826.0");
        assertThat(largest.getAttribute("cy")).isEqualTo("44.0");
    }

    @Test
    void thePageHasTheNumbersAndNeedsNothingElse() {
        assertThat(PLOT.page())
                .contains("<title>Title &lt;1&gt;</title>", "<th scope=\"col\">&quot;two&quot;</th>")
                .contains("<tr><th scope=\"row\">2,048</th><td>4.000</td><td></td></tr>")
                .doesNotContain("<script", "href=", "src=");
    }

    @Test
    void nothingAndOneSizeCanBeDrawn() throws Exception {
        parse(new Plot("t", "a", "u", List.of()).svg());
        String one = new Plot("t", "a", "u", List.of(new Curve("c", List.of(new Curve.Point(1 << 20, 0))))).svg();

        parse(one);
        assertThat(one).contains(">1M<").doesNotContain("NaN", "Infinity");
    }
}
