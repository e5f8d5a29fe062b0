package org.rankunit.engine.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("ranks")
@Timeout(60)
class ShellCommandTest {

    @Test
    void aShellUnderstandsEveryWordAsItIs(@TempDir Path folder) throws Exception {
        Path place = Files.createDirectory(folder.resolve("it's a \"place\""));
        List<String> words =
                List.of("plain", "", "a b", "it's", "$HOME", "`id`", "*", "a\\b", "-Dx=\"y\"", "#no;&|<>(){}~");

        assertThat(run(ShellCommand.of(place, Map.of(), command("printf", "[%s]\\n", words))))
                .isEqualTo(words.stream().map(word -> "[" + word + "]\n").reduce("", String::concat));
        assertThat(run(ShellCommand.of(place, Map.of("ONE", "1 'x'"), List.of("sh", "-c", "echo $ONE in; pwd"))))
                .isEqualTo("1 'x' in\n" + place + "\n");
    }

    @Test
    void whatNeedsNoQuotesHasNone() {
        assertThat(ShellCommand.of(Path.of("/a"), Map.of("B", "1", "A", "/x:/y"), List.of("/bin/java", "@args", "0")))
                .isEqualTo("cd /a && env A=/x:/y B=1 /bin/java @args 0");
    }

    private static List<String> command(String program, String format, List<String> words) {
        return Stream.concat(Stream.of(program, format), words.stream()).toList();
    }

    private static String run(String line) throws Exception {
        Process shell =
                new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as("%s", output).isZero();
        return output;
    }
}
