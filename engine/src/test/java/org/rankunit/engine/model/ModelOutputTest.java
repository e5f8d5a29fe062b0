package org.rankunit.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ModelOutputTest {

    private final List<String> shown = new ArrayList<>();
    private int answers;

    private void read(String printed) throws IOException {
        new ModelOutput("token", shown::add, () -> answers++).read(new StringReader(printed));
    }

    @Test
    void aTokenAtTheEndOfALineIsAnAnswer() throws IOException {
        read("one\ntoken\n\ntwotoken\ntoken three\nfour");

        assertThat(answers).isEqualTo(2);
        assertThat(shown).containsExactly("one", "", "two", "token three", "four");
    }

    @Test
    void aLineWithoutAnEndIsShownInParts() throws IOException {
        for (int length = 8185; length < 8200; length++) {
            shown.clear();
            answers = 0;
            read("x".repeat(length) + "token\n");

            assertThat(answers).isEqualTo(1);
            assertThat(String.join("", shown)).isEqualTo("x".repeat(length));
        }
    }

    @Test
    void whatIsTooMuchIsCountedForEachModel() throws IOException {
        read("x".repeat(300 << 10) + "\ntoken\nnext\ntoken\n" + "y\n".repeat(300 << 10));

        assertThat(answers).isEqualTo(2);
        assertThat(shown)
                .filteredOn(line -> line.startsWith("rankunit"))
                .containsExactly(
                        "rankunit: 45056 further characters that the golden model printed are left out",
                        "rankunit: 45056 further characters that the golden model printed are left out");
        assertThat(shown).contains("next");
    }
}
