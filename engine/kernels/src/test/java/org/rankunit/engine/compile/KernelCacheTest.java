package org.rankunit.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.compile.KernelProject.ready;
import static org.rankunit.engine.compile.KernelProject.why;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.config.Platform;

/** When a kernel is compiled again, and when it is not. */
@Tag("ranks")
@Timeout(120)
class KernelCacheTest {

    @TempDir
    Path temporary;

    private KernelProject project;

    @BeforeEach
    void threeKernels() throws Exception {
        project = project("project")
                .file("common/tile.h", "#pragma once\n#include \"base.h\"\n#define TILE (BASE + 1)\n")
                .file("common/base.h", "#pragma once\n#define BASE 10\n")
                .file("common/other.h", "#define OTHER 5\n")
                .kernel("aiv/tiled.cpp", "TILE", "../common/tile.h")
                .kernel("aiv/based.cpp", "BASE", "../common/base.h")
                .kernel("aic/other.cpp", "OTHER", "../common/other.h");
    }

    private KernelProject project(String name) {
        return new KernelProject(temporary.resolve(name), temporary.resolve("cache/kernels"));
    }

    @Test
    void nothingIsCompiledTwice() throws Exception {
        assertThat(project.compiled()).containsExactly("based", "other", "tiled");
        assertThat(project.compiled()).isEmpty();
        assertThat(project.console).isEmpty();
    }

    @Test
    void aChangedHeaderRecompilesExactlyItsUsers() throws Exception {
        project.compiled();

        project.file("common/other.h", "#define OTHER 6\n");
        assertThat(project.compiled()).containsExactly("other");
        project.file("common/tile.h", "#pragma once\n#include \"base.h\"\n#define TILE (BASE + 2)\n");
        assertThat(project.compiled()).containsExactly("tiled");
        project.file("common/base.h", "#pragma once\n#define BASE 11\n");
        assertThat(project.compiled()).containsExactly("based", "tiled");
        assertThat(project.compiled()).isEmpty();
    }

    @Test
    void aHeaderThatIsChangedBackNeedsNoCompiler() throws Exception {
        project.compiled();
        project.file("common/other.h", "#define OTHER 6\n").compiled();

        project.file("common/other.h", "#define OTHER 5\n");

        assertThat(project.compiled()).isEmpty();
    }

    @Test
    void aHeaderThatIsGoneIsToldByTheCompiler() throws Exception {
        project.compiled();
        Files.delete(project.folder.resolve("kernels/common/other.h"));

        assertThat(why(project.build().get("other"))).contains("other.h: No such file or directory");
    }

    @Test
    void aChangedSourceIsCompiledAlone() throws Exception {
        project.compiled();

        assertThat(project.kernel("aic/other.cpp", "OTHER + 1", "../common/other.h")
                        .compiled())
                .containsExactly("other");
    }

    @Test
    void flagsCompilerPlatformAndSearchPathsArePartOfTheKey() throws Exception {
        project.compiled();

        assertThat(project.flags("-O1").compiled()).hasSize(3);
        assertThat(project.variable("CPATH", "/nowhere").compiled()).hasSize(3);
        assertThat(project.build(Platform.A5SIM).values())
                .allMatch(result -> ready(result).fresh());
        assertThat(project.compilerScript("cxx", "exec c++ \"$@\"").compiled()).hasSize(3);
        assertThat(project.compilerScript("cxx", "case $1 in --version) echo another;; *) exec c++ \"$@\";; esac")
                        .compiled())
                .hasSize(3);
        assertThat(project.compiled()).isEmpty();
    }

    @Test
    void aCopyOfTheProjectSharesItsLibrariesAndHasItsOwnHeaders() throws Exception {
        project.compiled();
        KernelProject copy = project("deeper/copy");
        for (String file : List.of(
                "common/tile.h",
                "common/base.h",
                "common/other.h",
                "aiv/tiled.cpp",
                "aiv/based.cpp",
                "aic/other.cpp")) {
            copy.file(file, Files.readString(project.folder.resolve("kernels").resolve(file)));
        }

        assertThat(copy.compiled()).isEmpty();
        copy.file("common/other.h", "#define OTHER 7\n");
        assertThat(copy.compiled()).containsExactly("other");
        assertThat(project.compiled()).isEmpty();
    }

    @Test
    void aDamagedLibraryIsCompiledAgainAndSaidOnce() throws Exception {
        Path library = ready(project.build().get("other")).library();
        Files.writeString(library, "torn");

        assertThat(project.compiled()).containsExactly("other");
        assertThat(project.console)
                .containsExactly("rankunit: the compiled kernel " + library + " is damaged and is compiled again");
        assertThat(project.compiled()).isEmpty();
        assertThat(Files.size(library)).isGreaterThan(1000);
    }

    @Test
    void aDamagedListOfHeadersIsMadeAnew() throws Exception {
        Path library = ready(project.build().get("other")).library();
        Files.writeString(library.resolve("../../headers").normalize(), "\0\0\0");

        assertThat(project.compiled()).containsExactly("other");
        assertThat(project.compiled()).isEmpty();
    }

    @Test
    void pathsWithBlanksAreRead() throws Exception {
        project.file("my files/a b#c.h", "#define ODD 1\n").kernel("aiv/odd.cpp", "ODD", "../my files/a b#c.h");
        project.compiled();

        project.file("my files/a b#c.h", "#define ODD 2\n");

        assertThat(project.compiled()).containsExactly("odd");
    }

    @Test
    void whatIsChangedWhileItIsCompiledIsCompiledAgain() throws Exception {
        Path header = project.folder.resolve("kernels/common/other.h");
        Path once = temporary.resolve("once");
        project.compilerScript(
                "cxx",
                "c++ \"$@\" || exit 1; case \"$*\" in *other.cpp*) [ -e " + once + " ] || { touch " + once
                        + "; echo '#define OTHER 8' > " + header + "; } ;; esac");

        ready(project.build().get("other"));

        // Twice in that build, the second time with the new header: nothing is left to do.
        assertThat(once).exists();
        assertThat(project.compiled()).isEmpty();
    }

    @Test
    void aSourceThatChangesAllTheTimeIsNotKept() throws Exception {
        Path header = project.folder.resolve("kernels/common/other.h");
        project.compilerScript(
                "cxx", "c++ \"$@\" || exit 1; case \"$*\" in *other.cpp*) echo '//' >> " + header + ";; esac");

        assertThat(why(project.build().get("other"))).contains("was changed during each of 3 attempts");
    }

    @Test
    void twoProcessesAtTheSameTimeCompileOnce() throws Exception {
        Path calls = Files.createFile(temporary.resolve("calls"));
        project.compilerScript("cxx", "case $1 in --version) ;; *) echo . >> " + calls + ";; esac; exec c++ \"$@\"");

        List<Process> builds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            builds.add(OneBuild.start(project));
        }
        List<String> said = new ArrayList<>();
        for (Process build : builds) {
            said.add(
                    new String(build.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip());
            assertThat(build.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(Files.readAllLines(calls)).hasSize(3);
        assertThat(said.stream().mapToInt(Integer::parseInt).sum())
                .as("compiled by %s", said)
                .isEqualTo(3);
    }

    @Test
    void aProcessThatIsKilledWhileItCompilesLeavesNothingInTheWay() throws Exception {
        Path begun = temporary.resolve("begun");
        project.compilerScript(
                "cxx",
                "case $1 in --version) ;; *) echo $$ > " + begun + ".new; mv " + begun + ".new " + begun
                        + "; exec sleep 600;; esac");
        Process killed = OneBuild.start(project);
        while (!Files.exists(begun)) {
            assertThat(killed.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        killed.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        ProcessHandle.of(Long.parseLong(Files.readString(begun).strip())).ifPresent(ProcessHandle::destroyForcibly);

        // The same key, since the version says nothing in both.
        project.compilerScript("cxx", "case $1 in --version) ;; *) exec c++ \"$@\";; esac");
        assertThat(project.compiled()).hasSize(3);
    }

    @Test
    void whatWasNotUsedForTwoWeeksIsRemoved() throws Exception {
        Path old = ready(project.build().get("other")).library();
        Path young = ready(project.build().get("based")).library();
        Files.setLastModifiedTime(
                old.resolveSibling(".digest"),
                FileTime.from(Instant.now().minus(Duration.ofDays(14)).minusSeconds(60)));

        KernelCache.in(project.cache, project.console::add).prune();

        assertThat(old.resolve("../..").normalize()).doesNotExist();
        assertThat(young).exists();
        assertThat(project.compiled()).containsExactly("other");
    }

    @Test
    void useKeepsAnEntryAlive() throws Exception {
        Path library = ready(project.build().get("other")).library();
        Files.setLastModifiedTime(
                library.resolveSibling(".digest"), FileTime.from(Instant.now().minus(Duration.ofDays(13))));

        project.compiled();

        assertThat(Files.getLastModifiedTime(library.resolveSibling(".digest")).toInstant())
                .isAfter(Instant.now().minus(Duration.ofDays(1)));
    }
}
