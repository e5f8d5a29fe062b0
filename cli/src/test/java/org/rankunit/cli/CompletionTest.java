package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that generate-completion writes, in a real bash. */
@Tag("ranks")
class CompletionTest {

    @TempDir
    private static Path folder;

    private static Path script;

    @BeforeAll
    static void write() throws Exception {
        OtherJvm.Said said = OtherJvm.rankunit("generate-completion");
        assertThat(said.code()).isZero();
        script = Files.write(folder.resolve("completion.sh"), said.out());
    }

    @Test
    void bashReadsIt() throws Exception {
        assertThat(bash("-n", script.toString())).isEmpty();
    }

    @Test
    void aCommandIsCompleted() throws Exception {
        assertThat(completed("rankunit", "dev")).isEqualTo("devices\n");
    }

    @Test
    void anOptionOfACommandIsCompleted() throws Exception {
        assertThat(completed("rankunit", "devices", "--js")).isEqualTo("--json\n");
    }

    /** What bash would offer for the last of the words. */
    private static String completed(String... words) throws Exception {
        String press = "source '" + script + "'; compopt() { :; }; COMP_WORDS=(" + String.join(" ", words)
                + "); COMP_CWORD="
                + (words.length - 1) + "; COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE};"
                + " handler=$(complete -p rankunit | sed 's/.*-F \\([^ ]*\\).*/\\1/');"
                + " \"$handler\" rankunit \"" + words[words.length - 1] + "\" \"" + words[words.length - 2] + "\";"
                + " printf '%s\\n' \"${COMPREPLY[@]}\"";
        return bash("-c", press);
    }

    private static String bash(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 2];
        command[0] = "bash";
        command[1] = "--norc";
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(bash.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
