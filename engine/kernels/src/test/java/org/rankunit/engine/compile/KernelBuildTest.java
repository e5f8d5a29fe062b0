package org.rankunit.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.compile.KernelProject.ready;
import static org.rankunit.engine.compile.KernelProject.why;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.Platform;

/** Kernels and the real compiler of this machine. */
@Tag("ranks")
@Timeout(120)
class KernelBuildTest {

    @TempDir
    Path temporary;

    private KernelProject project;

    @BeforeEach
    void prepare() {
        project = new KernelProject(temporary.resolve("project"), temporary.resolve("cache/kernels"));
    }

    private static int call(Path library, String name) {
        try (NativeLibrary open = NativeLibrary.getInstance(library.toString())) {
            Function kernel = open.getFunction(name);
            return kernel.invokeInt(new Object[] {0L, 0});
        }
    }

    private int value(Map<String, KernelResult> results, String name) {
        return call(ready(results.get(name)).library(), name);
    }

    @Test
    void sourcesOfAllKindsBecomeOneLibraryEach() throws Exception {
        project.kernel("aiv/add.cpp", "1").kernel("aic/gemm.cpp", "2").kernel("orchestration/graph.cpp", "3");

        Map<String, KernelResult> results = project.build();

        assertThat(results.keySet()).containsExactly("add", "gemm", "graph");
        assertThat(value(results, "add")).isEqualTo(1);
        assertThat(value(results, "gemm")).isEqualTo(2);
        assertThat(value(results, "graph")).isEqualTo(3);
    }

    @Test
    void aSourceKnowsItsPlatformAndItsKindOfCore() throws Exception {
        String which = """
                #ifdef RANKUNIT_PLATFORM_A2A3SIM
                #define PLATFORM 10
                #endif
                #ifdef RANKUNIT_PLATFORM_A5SIM
                #define PLATFORM 20
                #endif
                #ifdef RANKUNIT_CORE_AIV
                #define KIND 1
                #endif
                #ifdef RANKUNIT_CORE_AIC
                #define KIND 2
                #endif
                #ifdef RANKUNIT_ORCHESTRATION
                #define KIND 3
                #endif
                """;
        project.file("which.h", which)
                .kernel("aiv/v.cpp", "PLATFORM + KIND", "../which.h")
                .kernel("aic/c.cpp", "PLATFORM + KIND", "../which.h")
                .kernel("orchestration/o.cpp", "PLATFORM + KIND", "../which.h");

        Map<String, KernelResult> a2a3 = project.build(Platform.A2A3SIM);
        Map<String, KernelResult> a5 = project.build(Platform.A5SIM);

        assertThat(value(a2a3, "v")).isEqualTo(11);
        assertThat(value(a2a3, "c")).isEqualTo(12);
        assertThat(value(a2a3, "o")).isEqualTo(13);
        assertThat(value(a5, "v")).isEqualTo(21);
    }

    @Test
    void aMistakeIsToldWithFileLineAndColumnAndTheOthersAreBuilt() throws Exception {
        project.file("aiv/bad.cpp", "int bad() {\n    return missing;\n}\n").kernel("aiv/good.cpp", "4");

        Map<String, KernelResult> results = project.build();

        assertThat(why(results.get("bad")))
                .startsWith("kernel 'bad' does not compile for a2a3sim (kernels/aiv/bad.cpp): ")
                .contains("\n    kernels/aiv/bad.cpp:2:12: error: 'missing' was not declared", "  the command: /")
                .doesNotContain("\u001b");
        assertThat(value(results, "good")).isEqualTo(4);
    }

    @Test
    void aKernelThatTellsItsAccessesIsAnotherLibraryThanOneThatDoesNot() throws Exception {
        project.kernel("aiv/one.cpp", "1");

        assertThat(project.compiled()).containsExactly("one");
        assertThat(project.tellAccesses(true).compiled()).containsExactly("one");
        assertThat(project.compiled()).isEmpty();
        assertThat(project.tellAccesses(false).compiled()).isEmpty();
    }

    @Test
    void anEndlessListOfMistakesIsCut() throws Exception {
        project.file("aiv/bad.cpp", "int bad() { return a" + " + b".repeat(3000) + "; }\n" + "x y;\n".repeat(500));

        String why = why(project.build().get("bad"));

        assertThat(why).contains("more lines)", "more characters)");
        assertThat(why.lines().count()).isLessThan(50);
        assertThat(why.length()).isLessThan(16_000);
    }

    @Test
    void aMissingCompilerIsToldWithWhatToInstall() throws Exception {
        project.kernel("aiv/add.cpp", "1");

        assertThat(why(project.compiler("no-such-c++").build().get("add")))
                .startsWith("kernel 'add' (")
                .contains("there is no compiler 'no-such-c++' on the PATH (", "apt-get install g++", "rankunit.cxx");
        assertThat(why(project.compiler("/no/such/c++").build().get("add")))
                .contains("there is no compiler '/no/such/c++'. Install");
    }

    @Test
    void aCompilerThatDoesNotWorkIsToldWithWhatItSays() throws Exception {
        project.kernel("aiv/add.cpp", "1").compilerScript("cxx", "echo no licence; exit 3");

        assertThat(why(project.build().get("add"))).contains("--version' ended with exit code 3:\n    no licence");
    }

    @Test
    void aCompilerThatHangsIsEndedAtItsDeadlineAndNamed() throws Exception {
        Path child = temporary.resolve("child");
        project.kernel("aiv/add.cpp", "1")
                .compilerScript(
                        "cxx", "case $1 in --version) echo 1;; *) sleep 600 & echo $! > " + child + "; wait;; esac")
                .limit(Duration.ofMillis(500));

        assertThat(why(project.build().get("add")))
                .startsWith("kernel 'add' does not compile for a2a3sim (")
                .contains("the compiler did not end within 500 ms (rankunit.compile-timeout) and was ended", "/cxx ");
        awaitEnd(Path.of("/proc", Files.readString(child).strip(), "stat"));
    }

    /** Wait until a process is gone, or is a zombie that nobody takes away. The time limit of this class bounds the wait. */
    private static void awaitEnd(Path stat) throws IOException {
        try {
            while (!Files.readString(stat).contains(") Z ")) {
                Thread.onSpinWait();
            }
        } catch (NoSuchFileException gone) {
            assertThat(stat).doesNotExist();
        } catch (IOException endedWhileItWasRead) {
            assertThat(endedWhileItWasRead).hasMessageContaining("No such process");
        }
    }

    @Test
    void twoSourcesOfOneNameAreAnErrorThatNamesBoth() throws Exception {
        project.kernel("aiv/add.cpp", "1").kernel("aic/add.cpp", "2").kernel("aic/mul.cpp", "3");

        Map<String, KernelResult> results = project.build();

        assertThat(why(results.get("add")))
                .startsWith(
                        "kernel 'add' has 2 sources: kernels/aiv/add.cpp and kernels/aic/add.cpp. A name stands for one"
                                + " kernel");
        assertThat(value(results, "mul")).isEqualTo(3);
    }

    @Test
    void debugInformationNamesASourceTheSameInEveryCopyOfAProject() throws Exception {
        project.kernel("aiv/where.cpp", "__FILE__[0] == 'k' && __FILE__[8] == 'a'");

        assertThat(value(project.build(), "where")).isEqualTo(1);
    }
}
