package org.rankunit.coll;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/collectives.md are samples, which compile and pass. */
@Tag("unit")
class DocumentedAlgorithmTest {

    @ParameterizedTest
    @ValueSource(strings = {"MyRingAllGather", "MyRingAllGatherTest", "MyRingIsCorrectTest"})
    void theExampleIsTheDocumentedOne(String example) throws IOException {
        String page = code(Files.readString(Path.of("../docs/collectives.md")));
        String source = Files.readString(Path.of("../sample-tests/src/test/java/org/example/" + example + ".java"));

        assertThat(page).contains(code(source));
    }

    /** Without blanks and comments, which the formatter changes, and without the group of this build's own tests. */
    private static String code(String text) {
        return text.lines()
                .filter(line -> !line.contains("Tag"))
                .map(line -> line.replaceAll("//.*", "").replaceAll("\\s", ""))
                .collect(Collectors.joining());
    }
}
