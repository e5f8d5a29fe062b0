package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

@Tag("unit")
class XmlTextTest {

    @ParameterizedTest
    @CsvSource({"0000", "0008", "000b", "001b", "001f", "d800", "dbff", "dc00", "dfff", "fffe", "ffff"})
    void whatXmlCannotHoldIsShown(String hex) {
        char c = (char) Integer.parseInt(hex, 16);

        assertThat(XmlText.of("a" + c + "b" + c)).isEqualTo("a\\u" + hex + "b\\u" + hex);
    }

    @Test
    void everythingElseStays() {
        String text = "tab\t, lines\r\n, \u007f\u0085\u009f, \u00fcber, \ud83d\ude80, \ufffd, ]]>, &#27;, <a b=\"c\">";

        assertThat(XmlText.of(text)).isSameAs(text);
    }

    @Test
    void halvesInTheWrongOrderAreNoPair() {
        assertThat(XmlText.of("\ude80\ud83d")).isEqualTo("\\ude80\\ud83d");
        assertThat(XmlText.of("\ud83d\ud83d\ude80")).isEqualTo("\\ud83d\ud83d\ude80");
    }

    @Test
    void aParserReadsEveryCharacterBack() throws Exception {
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        for (int c = 0; c <= 0x1_0000; c++) {
            String shown = XmlText.of(c < 0x1_0000 ? String.valueOf((char) c) : Character.toString(c));
            String xml =
                    "<a>" + shown.replace("&", "&amp;").replace("<", "&lt;").replace("\r", "&#13;") + "</a>";

            if (c < 0x100 || c >= 0xd7f0) {
                assertThat(parser.parse(new InputSource(new StringReader(xml)))
                                .getDocumentElement()
                                .getTextContent())
                        .isEqualTo(shown);
            }
        }
    }
}
