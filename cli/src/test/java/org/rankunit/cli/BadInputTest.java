package org.rankunit.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** No file and no value of an option looks like a bug in RankUnit. */
@Tag("unit")
@Timeout(120)
class BadInputTest {

    private static final List<String> VALUES = List.of(
            "9223372036854775807",
            "2147483647",
            "99999999999999999999999",
            "-1",
            "0",
            "NaN",
            "1e308",
            "",
            " ",
            "\u0661",
            "a=b",
            "9999999+9999999",
            "float32,",
            "/dev/null/x");

    /** These would work on the folder that the value names. */
    private static final Set<String> FOLDERS = Set.of("--pool-dir");

    @TempDir
    static Path folder;

    private record Said(int code, String out, String err) {}

    private static Said run(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = RankUnitCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
        return new Said(code, out.toString(), err.toString());
    }

    /** The content is given by its bytes, where ~ stands for one that is in no text in UTF-8. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    simulate --import FILE.goal                        | num_ranks 2 ~
                    simulate --import FILE.goal                        | num_ranks 99999999999999999999
                    simulate --import FILE.0.et                        | ~~~~~~~~~
                    simulate FILE.xml                                  | <algo ~
                    simulate FILE.xml                                  | <!DOCTYPE a []
                    verify FILE.xml                                    | <?xml version='1.0' encoding='nonsense'?>
                    simulate RingAllReduce --topology FILE.yaml        | levels: ~
                    simulate RingAllReduce --topology FILE.yaml        | levels: [{name: a, name: b}]
                    simulate RingAllReduce --topology FILE.yaml        | levels: *a
                    report FILE.json                                   | ~
                    report FILE.json                                   | {"schemaVersion": 99999999999999999999}
                    report FILE.json                                   | [[[[
                    """)
    void aBrokenFileIsAnErrorOfUseAndIsNamed(String command, String content) throws IOException {
        List<String> arguments = new ArrayList<>();
        Path file = folder;
        for (String word : command.split(" ", -1)) {
            boolean isFile = word.startsWith("FILE");
            file = isFile ? folder.resolve(word.replace("FILE", "broken")) : file;
            arguments.add(isFile ? file.toString() : word);
        }
        Files.write(file, content.replace('~', '\u00ff').getBytes(ISO_8859_1));

        Said said = run(arguments);

        assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains(String.valueOf(file.getFileName())).doesNotContain("\tat ");
    }

    static Stream<Arguments> options() {
        return Stream.of(
                        List.of("simulate", "RingAllReduce"),
                        List.of("simulate", "--collective=broadcast", "--ranks=4", "--count=16"),
                        List.of("verify", "RingAllReduce", "--ranks=2"),
                        List.of("devices", "--pool-dir=" + folder.resolve("pool")))
                .flatMap(base -> command(base).getCommandSpec().options().stream()
                        .filter(option -> option.arity().max() > 0 && !FOLDERS.contains(option.longestName()))
                        .map(option -> Arguments.of(base, option.longestName())));
    }

    private static CommandLine command(List<String> base) {
        return Objects.requireNonNull(
                RankUnitCommand.commandLine().getSubcommands().get(base.get(0)));
    }

    @ParameterizedTest
    @MethodSource("options")
    void noValueOfAnOptionIsADefect(List<String> base, String option) {
        for (String value : VALUES) {
            List<String> arguments = new ArrayList<>(base);
            arguments.removeIf(word -> word.startsWith(option + "="));
            arguments.add(option + "=" + value);

            Said said = run(arguments);

            assertThat(said.code())
                    .as("%s: %s", arguments, said)
                    .isIn(ExitCodes.FINE, ExitCodes.NOT_WELL, ExitCodes.USAGE);
            assertThat(said.err()).as("%s", arguments).doesNotContain("\tat ");
            assertThat(said.code() == ExitCodes.USAGE).isEqualTo(!said.err().isBlank());
        }
    }
}
