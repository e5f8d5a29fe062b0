package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands in the documentation exist, with the options that they are given there. They are not run. */
@Tag("unit")
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A line of a transcript, a script or a step of a workflow. */
    private static final Pattern LINE =
            Pattern.compile("(?m)^ *(?:run: |\\$ )?(?:rankunit|java -jar \\S*rankunit-cli\\S*) ([^#\\n]+)");

    @Test
    void commandsCanBeParsed() throws IOException {
        List<String> wrong = new ArrayList<>();
        int parsed = 0;
        for (Path page : pages()) {
            for (MatchResult command : LINE.matcher(Files.readString(page).replace("\\\n", " "))
                    .results()
                    .toList()) {
                parsed++;
                try {
                    RankUnitCommand.commandLine()
                            .parseArgs(
                                    command.group(1).split("\\|", -1)[0].trim().split(" +", -1));
                } catch (CommandLine.ParameterException e) {
                    wrong.add(ROOT.relativize(page) + ": rankunit " + command.group(1) + ": " + e.getMessage());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(parsed).isGreaterThan(10);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .toList();
        }
    }
}
