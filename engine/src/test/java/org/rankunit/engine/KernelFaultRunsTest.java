package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.KernelFaultCases;

/** A kernel that never ends, crashes or ends its process is named with its rank and its launch, wherever it runs. */
@Tag("ranks")
@Timeout(240)
class KernelFaultRunsTest {

    private static EngineRun run;

    @BeforeAll
    static void runAll(@TempDir Path folder) throws IOException {
        Path kernels = folder.resolve("kernels");
        Path aiv = Files.createDirectories(kernels.resolve("aiv"));
        write(aiv, "spins", """
                static volatile int stop;
                RANKUNIT_KERNEL int spins(const uint64_t *, int) {
                    while (stop == 0) {
                    }
                    return 0;
                }
                """);
        write(aiv, "waits", """
                RANKUNIT_BLOCK_KERNEL(waits)(const KernelEnv *env, const uint64_t *args, int) {
                    rankunit_wait(env, rankunit_pointer<int32_t>(args[0]), KERNEL_GE, 1);
                    return 0;
                }
                """);
        write(aiv, "polls", """
                RANKUNIT_BLOCK_KERNEL(polls)(const KernelEnv *env, const uint64_t *args, int) {
                    while (!rankunit_test(env, rankunit_pointer<int32_t>(args[0]), KERNEL_GE, 1)) {
                    }
                    return 0;
                }
                """);
        write(aiv, "recurses", """
                static int deeper(volatile int depth) {
                    return deeper(depth + 1) + depth;
                }
                RANKUNIT_KERNEL int recurses(const uint64_t *, int) { return deeper(1); }
                """);
        write(aiv, "aborts", "RANKUNIT_KERNEL int aborts(const uint64_t *, int) { std::abort(); }\n");
        write(aiv, "exits0", "RANKUNIT_KERNEL int exits0(const uint64_t *, int) { std::exit(0); }\n");
        write(aiv, "exits3", "RANKUNIT_KERNEL int exits3(const uint64_t *, int) { std::exit(3); }\n");
        write(aiv, "writes_null", """
                RANKUNIT_KERNEL int writes_null(const uint64_t *args, int) {
                    *rankunit_pointer<volatile int>(args[0] - args[0]) = 7;
                    return 0;
                }
                """);
        write(aiv, "terminates", "RANKUNIT_KERNEL int terminates(const uint64_t *, int) { return raise(SIGTERM); }\n");
        Files.writeString(
                Files.createDirectories(kernels.resolve("orchestration")).resolve("turns.cpp"), """
                #include <rankunit/orchestration.h>
                static volatile int stop;
                RANKUNIT_ORCHESTRATION_FUNCTION(turns)(const OrchestrationEnv *, const uint64_t *, int) {
                    while (stop == 0) {
                    }
                    return 0;
                }
                """);
        run = EngineRun.of(
                folder,
                Map.of(
                        "rankunit.kernel-sources",
                        kernels.toString(),
                        "rankunit.device-timeout",
                        "1s",
                        "rankunit.comm-timeout",
                        "60s"),
                KernelFaultCases.Endless.class,
                KernelFaultCases.Fatal.class);
    }

    /** The function begins in line 4. */
    private static void write(Path folder, String name, String source) throws IOException {
        Files.writeString(
                folder.resolve(name + ".cpp"),
                "#include <rankunit/kernel.h>\n#include <csignal>\n#include <cstdlib>\n" + source);
    }

    private static String endless(String method) {
        return EngineRun.withoutNumbers(run.message(KernelFaultCases.Endless.class, method + "(RankContext)"));
    }

    private static String fatal(String method) {
        return EngineRun.withoutNumbers(run.message(KernelFaultCases.Fatal.class, method + "(RankContext)"));
    }

    @Test
    void eachTestHasOneResultAndTheNextOnePasses() {
        assertThat(run.results(KernelFaultCases.Endless.class))
                .containsExactlyInAnyOrder(
                        "FAILED aOnAStream(RankContext)",
                        "FAILED bWhileBothWaitForSignals(RankContext)",
                        "FAILED cWhileTheOtherKernelWaits(RankContext)",
                        "FAILED dWhileTheOtherKernelPolls(RankContext)",
                        "FAILED eLeftAtTheEnd(RankContext)",
                        "SUCCESSFUL fThenPasses(RankContext)",
                        "FAILED gAsATask(RankContext)",
                        "FAILED hInTheOrchestration(RankContext)");
        assertThat(run.results(KernelFaultCases.Fatal.class))
                .containsExactlyInAnyOrder(
                        "FAILED aStackOverflow(RankContext)",
                        "FAILED bAbort(RankContext)",
                        "FAILED cExit0(RankContext)",
                        "FAILED dExit3(RankContext)",
                        "FAILED eNull(RankContext)",
                        "FAILED fLaunchedByTheHost(RankContext)",
                        "FAILED gLeftAtTheEnd(RankContext)",
                        "FAILED hSignalJustBeforeTheEnd(RankContext)",
                        "SUCCESSFUL iThenPasses(RankContext)",
                        "FAILED jAsATask(RankContext)");
        assertThat(run.containers(KernelFaultCases.Fatal.class)).allMatch(each -> each.startsWith("SUCCESSFUL "));
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void aKernelThatNeverEndsOnAStreamIsNamedWithItsLaunchAndItsLine() {
        assertThat(endless("aOnAStream"))
                .startsWith("KernelFaultCases.Endless.aOnAStream [2 ranks, a2a3sim] failed on rank 1\n")
                .contains(
                        "rank 0 is in barrier #N (KernelFaultCases.java:L); rank 1 never entered it",
                        "kernel 'spins' had not ended after 1000 ms (rankunit.device-timeout), and was ended with its"
                                + " rank; it was at\n",
                        "kernel 'spins' (stream 1, work 1, KernelFaultCases.java:L, called at KernelFaultCases.java:L) was in\n",
                        "rank 0 was released from barrier #N (KernelFaultCases.java:L) because rank 1 failed")
                .containsPattern("spins at \\S*kernels/aiv/spins\\.cpp:6 \\(libspins\\.so\\+0x[0-9a-f]+\\)");
    }

    @Test
    void theKernelIsToBlameAndNotThoseThatWaitForItsSignal() {
        for (String test :
                new String[] {"bWhileBothWaitForSignals", "cWhileTheOtherKernelWaits", "dWhileTheOtherKernelPolls"}) {
            assertThat(endless(test))
                    .startsWith("KernelFaultCases.Endless." + test + " [2 ranks, a2a3sim] failed on rank 1\n")
                    .contains(
                            "kernel 'spins' had not ended after 1000 ms (rankunit.device-timeout)",
                            "rank 0 was released because rank 1 failed")
                    .doesNotContain("kernel 'waits' had", "kernel 'polls' had", "aborted");
        }
    }

    @Test
    void aKernelThatIsLeftAtTheEndOfItsTestIsNamed() {
        assertThat(endless("eLeftAtTheEnd"))
                .contains(
                        "failed on rank 1",
                        "rank 1 is waiting for the work that the test has left on its streams",
                        "kernel 'spins' (stream 1, work 1, KernelFaultCases.java:L) was in\n");
    }

    @Test
    void aTaskThatNeverEndsIsNamedWithItsGraph() {
        assertThat(endless("gAsATask"))
                .contains(
                        "failed on rank 1",
                        "kernel 'spins' had not ended after 1000 ms (rankunit.device-timeout)",
                        "kernel 'spins' (task 1 \"sum\", graph \"faulty\", KernelFaultCases.java:L, called at KernelFaultCases.java:L) was in\n");
    }

    @Test
    void anOrchestrationFunctionThatNeverEndsIsNamedWithItsGraph() {
        assertThat(endless("hInTheOrchestration"))
                .contains(
                        "failed on rank 1",
                        "kernel 'turns' had not ended after 1000 ms (rankunit.device-timeout)",
                        "kernel 'turns' (the orchestration function, graph \"faulty\", KernelFaultCases.java:L) was in\n")
                .containsPattern("turns at \\S*kernels/orchestration/turns\\.cpp:4 ");
    }

    @Test
    void aKernelThatEndsItsProcessIsNamedWithTheSignalOrTheCode() {
        String where = " (stream 1, work 1, KernelFaultCases.java:L, called at KernelFaultCases.java:L)";
        assertThat(fatal("bAbort")).contains("was killed by SIGABRT (exit code 134) in kernel 'aborts'" + where);
        assertThat(fatal("cExit0")).contains(" exited with code 0 in kernel 'exits0'" + where);
        assertThat(fatal("dExit3")).contains(" exited with code 3 in kernel 'exits3'" + where);
        assertThat(fatal("fLaunchedByTheHost"))
                .contains(" exited with code 0 in kernel 'exits0' (KernelFaultCases.java:L)");
        assertThat(fatal("gLeftAtTheEnd"))
                .contains(
                        " exited with code 0 in kernel 'exits0' (stream 1, work 1, KernelFaultCases.java:L)",
                        "rank 0 passed");
    }

    @Test
    void aCrashIsOneThingAndHasTheKernelAndItsLine() {
        String where = " (stream 1, work 1, KernelFaultCases.java:L, called at KernelFaultCases.java:L)";
        assertThat(fatal("eNull"))
                .contains(" crashed in native code and was ended by SIGSEGV in kernel 'writes_null'" + where)
                .containsPattern("in writes_null at \\S*kernels/aiv/writes_null\\.cpp:5 ")
                .contains("whole report: ")
                .doesNotContain("exited with code");
        assertThat(fatal("jAsATask"))
                .contains(
                        " in kernel 'writes_null' (task 1 \"sum\", graph \"faulty\", KernelFaultCases.java:L, called at KernelFaultCases.java:L)");
    }

    @Test
    void whatTheJvmPrintsWhenItCrashesStaysInTheLog() throws IOException {
        assertThat(run.output())
                .doesNotContain("# A fatal error", "submit a bug report", "# JRE version")
                .contains("rankunit: what the JVM of this rank printed when it crashed is in ");
        String log = run.message(KernelFaultCases.Fatal.class, "eNull(RankContext)")
                .replaceFirst("(?s).*log of rank 1: (\\S+).*", "$1");
        assertThat(Path.of(log))
                .content()
                .contains("# A fatal error has been detected by the Java Runtime Environment:");
    }

    @Test
    void aStackOverflowIsACrashInItsKernel() {
        assertThat(fatal("aStackOverflow"))
                .contains(" crashed in native code and was ended by SIGSEGV in kernel 'recurses' (stream 1, work 1, ")
                .containsPattern("in deeper\\(int\\) at \\S*kernels/aiv/recurses\\.cpp:\\d+ ");
    }

    @Test
    void aSignalFailsTheTestInWhichItComes() {
        assertThat(fatal("hSignalJustBeforeTheEnd"))
                .contains("failed on rank 1", "was killed by SIGTERM (exit code 143)", "rank 0 passed");
    }
}
