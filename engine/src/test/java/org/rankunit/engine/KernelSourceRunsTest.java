package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.RankContext;
import org.rankunit.engine.cases.KernelCases;
import org.rankunit.engine.launch.local.RunLeftovers;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;

/** Whole runs of tests whose kernels are compiled from source. */
@Tag("ranks")
@Timeout(120)
class KernelSourceRunsTest {

    private static final Class<?> TESTS = KernelCases.FromSource.class;

    @TempDir
    Path folder;

    private final Map<String, String> parameters = new HashMap<>();
    private RunLeftovers leftovers;

    @BeforeEach
    void writeKernels() throws IOException {
        leftovers = RunLeftovers.watch(folder);
        parameters.put("rankunit.kernel-sources", folder.resolve("kernels").toString());
        write("aiv/fill.cpp", """
                // %s, so that nobody has it in a cache
                #include <rankunit/kernel.h>
                #include "../common.h"
                RANKUNIT_KERNEL int fill(const uint64_t *args, int nargs) {
                    return fill_all(rankunit_pointer<int32_t>(args[0]), args[1], nargs == 3 ? (int32_t)args[2] : 0);
                }
                """.formatted(UUID.randomUUID()));
        write("common.h", """
                inline int fill_all(int *to, unsigned long count, int value) {
                    for (unsigned long i = 0; i < count; i++) to[i] = value;
                    return 0;
                }
                """);
        write("aiv/broken.cpp", "int broken() { return missing; }\n");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(leftovers.all(16)).isEmpty();
        leftovers.close();
    }

    private void write(String place, String content) throws IOException {
        Path file = folder.resolve("kernels").resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private EngineRun run() {
        return EngineRun.of(folder, parameters, TESTS);
    }

    /** Fewer of them: after each one that fails, the next has new ranks. */
    private EngineRun runOf(String... tests) {
        return EngineRun.of(
                folder,
                parameters,
                Stream.of(tests)
                        .map(test -> selectMethod(TESTS, test, RankContext.class))
                        .toList());
    }

    @Test
    void aKernelRunsOnTheCoresThatItsFolderStandsFor() throws IOException {
        write("aic/cube.cpp", """
                #include <rankunit/kernel.h>
                RANKUNIT_BLOCK_KERNEL(cube)(const KernelEnv *, const uint64_t *, int) { return 0; }
                """);

        assertThat(EngineRun.of(folder, parameters, KernelCases.OnCores.class).results(KernelCases.OnCores.class))
                .containsExactly("SUCCESSFUL aKernelRunsOnTheCoresThatItIsCompiledFor(RankContext)");
    }

    @Test
    void aKernelIsCompiledOnceAndOneThatIsBrokenFailsOnlyTheTestThatAsksForIt() {
        EngineRun first = run();
        EngineRun second = run();

        assertThat(first.results(TESTS))
                .containsExactly(
                        "SUCCESSFUL aKernelOfVectorCores(RankContext)",
                        "FAILED bKernelThatDoesNotCompile(RankContext)",
                        "FAILED cKernelThatIsNowhere(RankContext)",
                        "SUCCESSFUL dNoKernel(RankContext)");
        assertThat(first.output())
                .contains(
                        "rankunit: compiled 1 kernel for a2a3sim in ",
                        "rankunit: kernel 'broken' does not compile for a2a3sim (");
        assertThat(first.message(TESTS, "bKernelThatDoesNotCompile(RankContext)"))
                .contains(
                        "kernel 'broken' does not compile for a2a3sim (" + folder,
                        "kernels/aiv/broken.cpp:1:23: error: 'missing' was not declared");
        assertThat(first.message(TESTS, "cKernelThatIsNowhere(RankContext)"))
                .contains("there is no kernel 'nowhere_at_all' for a2a3sim", "kernels/aiv/nowhere_at_all.cpp");
        assertThat(second.results(TESTS)).isEqualTo(first.results(TESTS));
        assertThat(second.output()).doesNotContain("compiled 1 kernel");
    }

    @Test
    void withoutACompilerTheTestsThatNeedNoneRun() {
        parameters.put("rankunit.cxx", "no-such-c++");

        EngineRun run = run();

        assertThat(run.results(TESTS))
                .containsExactly(
                        "FAILED aKernelOfVectorCores(RankContext)",
                        "FAILED bKernelThatDoesNotCompile(RankContext)",
                        "FAILED cKernelThatIsNowhere(RankContext)",
                        "SUCCESSFUL dNoKernel(RankContext)");
        assertThat(run.message(TESTS, "aKernelOfVectorCores(RankContext)"))
                .contains("kernel 'fill' (", "there is no compiler 'no-such-c++' on the PATH", "apt-get install g++");
        assertThat(run.output().lines().filter(line -> line.contains("there is no compiler 'no-such-c++'")))
                .singleElement()
                .asString()
                .startsWith("rankunit: kernels are not compiled from source: there is no compiler");
        assertThat(run.message(TESTS, "aKernelOfVectorCores(RankContext)").split("there is no compiler", -1))
                .as("told once for both ranks")
                .hasSize(2);
    }

    @Test
    void noDeviceIsHeldWhileAKernelIsCompiled() throws Exception {
        Path begun = folder.resolve("begun");
        Path mayEnd = folder.resolve("may-end");
        Path compiler = folder.resolve("cxx");
        Files.writeString(compiler, """
                #!/bin/sh
                case $1 in --version) ;; *) touch %s; until [ -e %s ]; do sleep 0.01; done ;; esac
                exec c++ "$@"
                """.formatted(begun, mayEnd));
        Files.setPosixFilePermissions(compiler, PosixFilePermissions.fromString("rwx------"));
        parameters.put("rankunit.cxx", compiler.toString());

        CompletableFuture<EngineRun> run = CompletableFuture.supplyAsync(() -> runOf("aKernelOfVectorCores"));
        while (!Files.exists(begun)) {
            assertThat(run).isNotDone();
            Thread.onSpinWait();
        }
        DevicePool pool = DevicePool.open(
                PoolConfig.defaults().in(folder.resolve("pool")).with(Inventory.ofFirst(16, "a2a3sim")));
        assertThat(pool.status("a2a3sim")).hasSize(16).allMatch(device -> device.state() == DeviceState.FREE);
        Files.createFile(mayEnd);

        assertThat(run.get(60, TimeUnit.SECONDS).results(TESTS))
                .containsExactly("SUCCESSFUL aKernelOfVectorCores(RankContext)");
    }

    @Test
    void theReportSaysHowLongTheFirstGroupWaitedForItsKernels() throws Exception {
        runOf("aKernelOfVectorCores", "bKernelThatDoesNotCompile", "dNoKernel");

        String report = Files.readString(folder.resolve("out/report.json"));
        assertThat(report).containsPattern("\"compile\" : [1-9]");
        assertThat(new JsonReport().read(folder.resolve("out/report.json")).tests())
                .extracting(test -> test.ranks().get(0).phases().get(0).name())
                .startsWith("compile", "barrier")
                .containsOnlyOnce("compile");
        assertThat(ReportSchema.violations(folder.resolve("out/report.json"))).isEmpty();
    }
}
