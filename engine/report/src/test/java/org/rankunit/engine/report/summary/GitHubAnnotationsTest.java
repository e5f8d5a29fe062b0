package org.rankunit.engine.report.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.failed;
import static org.rankunit.engine.report.summary.Entries.passed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.report.RunReport;

/** The exact lines, as GitHub's runner reads them. */
@Tag("unit")
class GitHubAnnotationsTest {

    @TempDir
    private Path root;

    private List<String> lines(RunReport.TestEntry... tests) {
        return GitHubAnnotations.lines(ReportSummary.of(List.of(tests)), root.resolve("ring/target/rankunit"), root);
    }

    private void writeSource(String content) throws IOException {
        Path file = root.resolve("ring/src/test/java/org/example/RingTest.java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void aFailedTestNamesItsFileAndTheLineOfTheFailure() throws IOException {
        writeSource("class RingTest {\n  void sums() {}\n}\n");

        assertThat(lines(
                        passed("RingTest", "copies", 1),
                        failed("RingTest", "sums", "50% differ, see a:b\r\nat RingTest.sums(RingTest.java:17)")))
                .containsExactly("::error file=ring/src/test/java/org/example/RingTest.java,line=17,"
                        + "title=RingTest.sums [2 ranks%2C a2a3sim]::50%25 differ, see a:b%0A"
                        + "at RingTest.sums(RingTest.java:17)");
    }

    @Test
    void withoutThatLineItIsTheOneOfTheDeclaration() throws IOException {
        writeSource("class RingTest {\n  // obj.sums()\n  void sums () {}\n}\n");

        assertThat(lines(failed("RingTest", "sums", "wrong")))
                .singleElement()
                .asString()
                .startsWith("::error file=ring/src/test/java/org/example/RingTest.java,line=3,title=");
    }

    @Test
    void withoutASourceOnlyTheTitleIsLeft() {
        assertThat(lines(failed("RingTest", "sums: all, at once", "wrong")))
                .containsExactly("::error title=RingTest.sums%3A all%2C at once [2 ranks%2C a2a3sim]::wrong");
    }

    @Test
    void testsBeyondThoseThatGitHubShowsAreNamedInTheLastLine() {
        List<String> lines = lines(IntStream.range(0, 12)
                .mapToObj(i -> failed("RingTest", "t" + i, "wrong"))
                .toArray(RunReport.TestEntry[]::new));

        assertThat(lines).hasSize(GitHubAnnotations.MAX);
        assertThat(lines.get(9))
                .isEqualTo("::error title=3 more tests failed::RingTest.t9 [2 ranks, a2a3sim]%0A"
                        + "RingTest.t10 [2 ranks, a2a3sim]%0ARingTest.t11 [2 ranks, a2a3sim]");
    }
}
