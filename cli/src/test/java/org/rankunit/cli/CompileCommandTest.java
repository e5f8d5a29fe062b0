package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.cli.OtherJvm.Said;

/** {@code rankunit compile} in a process of its own, with a cache of its own. */
@Tag("ranks")
@Timeout(120)
class CompileCommandTest {

    @TempDir
    Path temporary;

    @BeforeEach
    void writeAKernel() throws IOException {
        write("kernels/aiv/add.cpp", """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int add(const uint64_t *, int) { return 0; }
                """);
    }

    private void write(String place, String content) throws IOException {
        Path file = temporary.resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private Said compile(String... arguments) throws Exception {
        String[] all = new String[arguments.length + 1];
        all[0] = "compile";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return OtherJvm.rankunit(
                Map.of("XDG_CACHE_HOME", temporary.resolve("cache").toString()),
                List.of("-Dbasedir=" + temporary, "-Drankunit.kernel-sources=kernels"),
                all);
    }

    @Test
    void kernelsAreCompiledOnceForEachSimulator() throws Exception {
        Said first = compile();
        Said second = compile();

        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.text())
                .containsPattern("add a2a3sim: compiled in \\d+ ms")
                .containsPattern("add a5sim: compiled in \\d+ ms")
                .endsWith("2 compiled, 0 cached, 0 errors");
        assertThat(second.code()).isZero();
        assertThat(second.out())
                .containsExactly("add a2a3sim: cached", "add a5sim: cached", "0 compiled, 2 cached, 0 errors");
    }

    @Test
    void aKernelThatDoesNotCompileIsAnErrorAndTheOthersAreCompiled() throws Exception {
        write("kernels/aiv/bad.cpp", "int bad() { return missing; }\n");

        Said said = compile("--platform", "a5sim", temporary.resolve("kernels").toString());

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.text())
                .contains("bad a5sim: error: kernel 'bad' does not compile for a5sim", "bad.cpp:1:20: error: 'missing'")
                .containsPattern("add a5sim: compiled in")
                .endsWith("1 compiled, 0 cached, 1 error");
    }

    @Test
    void aFolderWithoutSourcesAndAPlatformOfHardwareAreWrongUsage() throws Exception {
        Said misspelt = compile("kernles");
        assertThat(misspelt.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(misspelt.err())
                .startsWith("There is no source aiv/*.cpp, aic/*.cpp or orchestration/*.cpp in kernles.");

        Said hardware = compile("--platform", "a2a3");
        assertThat(hardware.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(hardware.err()).contains("kernels are compiled for simulators only", "docs/kernels.md");
    }
}
