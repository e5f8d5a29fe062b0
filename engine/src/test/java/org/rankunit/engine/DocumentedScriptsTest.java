package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shells and Python can read the commands and programs of the documentation. They are not run. */
@Tag("ranks")
class DocumentedScriptsTest {

    private static final Map<String, List<String>> READERS = Map.of(
            "sh",
            List.of("bash", "-n"),
            "python",
            List.of("python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())"));

    @Test
    void scriptsCanBeRead() throws Exception {
        List<String> unreadable = new ArrayList<>();
        int read = 0;
        for (Path page : DocumentationTest.pages()) {
            for (MatchResult block : DocumentationTest.blocks(page)) {
                List<String> reader = READERS.get(block.group(1));
                if (reader != null) {
                    read++;
                    String said = said(reader, block.group(2));
                    if (!said.isEmpty()) {
                        unreadable.add(page.getFileName() + ": " + said + "\n" + block.group(2));
                    }
                }
            }
        }
        assertThat(unreadable).isEmpty();
        assertThat(read).isPositive();
    }

    /** What a reader complains of. */
    private static String said(List<String> reader, String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(reader).redirectErrorStream(true).start();
        try {
            process.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue() == 0 ? said : "exit code " + process.exitValue() + ": " + said;
        } finally {
            process.destroyForcibly();
        }
    }
}
