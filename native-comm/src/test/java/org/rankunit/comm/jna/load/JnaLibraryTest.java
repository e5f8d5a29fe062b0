package org.rankunit.comm.jna.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("ranks")
@Timeout(60)
class JnaLibraryTest {

    @TempDir
    Path folder;

    /** Loads the library, says where other users of JNA unpack theirs, and calls a function of C. */
    static final class Loading {

        public static void main(String[] args) {
            JnaLibrary.load();
            Function getpid = NativeLibrary.getProcess().getFunction("getpid");
            System.out.println(System.getProperty("jna.tmpdir") + " "
                    + (getpid.invokeInt(new Object[0])
                            == ProcessHandle.current().pid()));
        }
    }

    @Test
    void isNeverUnpackedWhereOthersCouldReplaceIt() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path temporary = Files.createDirectory(folder.resolve("tmp"));

        assertThat(load(home.toString(), temporary)).isEqualTo("null true\n");

        assertThat(home).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aUserWithoutAHomeLeavesNoFolderBehind() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));

        assertThat(load("?", temporary)).isEqualTo(temporary + " true\n");

        assertThat(temporary).isEmptyDirectory();
        assertThat(folder.resolve("?")).doesNotExist();
    }

    @Test
    void aRankCreatesNoFolderInTheHome() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        UnpackedLibraries.into(Files.createDirectory(folder.resolve("native")));

        assertThat(load(home.toString(), temporary, "-Djna.boot.library.path=" + folder.resolve("native")))
                .isEqualTo("null true\n");

        assertThat(home).isEmptyDirectory();
        assertThat(folder.resolve("native")).isDirectoryContaining("glob:**/libjnidispatch.so");
    }

    @Test
    void aRankOfAUserWithoutAHomeLeavesNoFolderInTheProject() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        UnpackedLibraries.into(Files.createDirectory(folder.resolve("native")));

        assertThat(load("?", temporary, "-Djna.boot.library.path=" + folder.resolve("native")))
                .isEqualTo(temporary + " true\n");

        assertThat(folder.resolve("?")).doesNotExist();
    }

    private String load(String home, Path temporary, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "umask 0002; unset XDG_CACHE_HOME; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                // From JDK 24 on, it would print a warning without.
                "--enable-native-access=ALL-UNNAMED",
                "-Duser.home=" + home,
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(more));
        command.add(Loading.class.getName());
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return printed;
    }
}
