package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.LibraryCases;
import org.rankunit.engine.launch.local.RunLeftovers;

/** Whole runs with {@code rankunit.comm-library}. */
@Tag("ranks")
@Timeout(120)
class ForeignLibraryRunsTest {

    @TempDir
    Path folder;

    private RunLeftovers leftovers;
    private Path simulator;

    @BeforeEach
    void copyTheSimulator() throws IOException {
        leftovers = RunLeftovers.watch(folder);
        // Under another name it is loaded a second time, and its memory is as strange to the devices as anybody's.
        simulator = folder.resolve("libacme_comm.so");
        try (InputStream library = Objects.requireNonNull(
                ClassLoader.getSystemResourceAsStream("linux-" + processor() + "/librankunit_sim.so"))) {
            Files.copy(library, simulator);
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(leftovers.all(16)).isEmpty();
        leftovers.close();
    }

    private static String processor() {
        return System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86-64";
    }

    private EngineRun run(Path library, String form) {
        return EngineRun.of(
                folder,
                Map.of("rankunit.comm-library", library.toString(), "rankunit.comm-library-form", form),
                LibraryCases.Windows.class);
    }

    @Test
    void testsRunOnItsWindowsAndItsAbortWakesTheirRanks() {
        EngineRun run = run(simulator, "stream");

        assertThat(run.results(LibraryCases.Windows.class))
                .containsExactly(
                        "SUCCESSFUL aBuffersLieInItsWindows(RankContext)",
                        "FAILED bOneRankFailsWhileTheOtherWaits(RankContext)",
                        "SUCCESSFUL cTheNextTestHasNewRanks(RankContext)");
        assertThat(run.message(LibraryCases.Windows.class, "bOneRankFailsWhileTheOtherWaits(RankContext)"))
                .contains("failed on rank 0")
                .doesNotContain("was ended");
    }

    @Test
    void ranksThatItCannotWakeAreEndedAndTheCauseIsStillTheFirst() throws Exception {
        EngineRun run = run(withoutAdditions(), "plain");

        assertThat(run.results(LibraryCases.Windows.class))
                .containsExactly(
                        "SUCCESSFUL aBuffersLieInItsWindows(RankContext)",
                        "FAILED bOneRankFailsWhileTheOtherWaits(RankContext)",
                        "SUCCESSFUL cTheNextTestHasNewRanks(RankContext)");
        assertThat(run.message(LibraryCases.Windows.class, "bOneRankFailsWhileTheOtherWaits(RankContext)"))
                .contains("failed on rank 0\n", "rank 1 was released because rank 0 failed");
    }

    @Test
    void aFileThatIsNoCommunicationLibraryFailsTheTestsWithAllThatItLacks() throws Exception {
        Path library = compile("empty", "int nothing(void) { return 0; }");

        assertThat(run(library, "auto").messages())
                .hasSize(3)
                .allSatisfy(message -> assertThat(message)
                        .contains("bootstrap failed while bringing up the communicator")
                        .contains("libempty.so: it is not a communication library: it does not export comm_init,"));
    }

    /** The six functions that a library cannot do without, in plain C, over the copy of the simulator. */
    private Path withoutAdditions() throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("""
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <stddef.h>
                #include <stdint.h>
                static void *find(const char *name) {
                    return dlsym(dlopen("%s", RTLD_NOW | RTLD_LOCAL), name);
                }
                void *comm_init(int rank, int nranks, const char *path) {
                    return ((void *(*)(int, int, void *, const char *)) find("comm_init"))(rank, nranks, NULL, path);
                }
                """.formatted(simulator));
        for (String function : List.of(
                "comm_alloc_windows(void *h, size_t a, void *b)",
                "comm_get_local_window_base(void *h, void *a, void *b)",
                "comm_get_window_size(void *h, void *a, void *b)",
                "comm_barrier(void *h, void *a, void *b)",
                "comm_destroy(void *h, void *a, void *b)")) {
            String name = function.substring(0, function.indexOf('('));
            source.append("int ")
                    .append(function)
                    .append(" { return ((int (*)(void *, size_t, void *)) find(\"")
                    .append(name)
                    .append("\"))(h, (size_t) a, b); }\n");
        }
        return compile("acme_plain", source.toString());
    }

    private Path compile(String name, String source) throws IOException, InterruptedException {
        Path library = folder.resolve("lib" + name + ".so");
        Process compiler = new ProcessBuilder(
                        "cc", "-x", "c", "-shared", "-fPIC", "-o", library.toString(), "-", "-ldl")
                .redirectErrorStream(true)
                .start();
        compiler.getOutputStream().write(source.getBytes(StandardCharsets.UTF_8));
        compiler.getOutputStream().close();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(said).isZero();
        return library;
    }
}
