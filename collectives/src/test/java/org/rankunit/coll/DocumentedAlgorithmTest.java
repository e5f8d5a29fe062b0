package org.rankunit.coll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.coll.assertions.CollectiveAssertions.assertThatCollective;
import static org.rankunit.coll.assertions.CollectiveAssertions.ranks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example of docs/collectives.md compiles, is correct, and is the one that is documented. */
@Tag("unit")
class DocumentedAlgorithmTest {

    @Test
    void theExampleIsCorrect() {
        assertThatCollective(new MyRingAllGather()).isCorrectFor(ranks(3, 16));
    }

    @Test
    void theExampleIsTheDocumentedOne() throws IOException {
        String page = code(Files.readString(Path.of("../docs/collectives.md")));
        String source = code(Files.readString(Path.of("src/test/java/org/rankunit/coll/MyRingAllGather.java")));

        assertThat(page).contains(source.substring(source.indexOf("publicfinalclass")));
    }

    /** Without comments and blanks, which the formatter of sources changes. */
    private static String code(String text) {
        return text.lines()
                .map(line -> line.replaceAll("//.*", "").replaceAll("\\s", ""))
                .collect(Collectors.joining());
    }
}
