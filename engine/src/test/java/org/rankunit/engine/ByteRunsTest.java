package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.ByteCases.Declared;
import org.rankunit.engine.cases.ByteCases.InWindows;
import org.rankunit.engine.cases.ByteCases.OnHardware;
import org.rankunit.engine.cases.ByteCases.Written;

/** Whole runs in which each access of kernels is known, beside what they declare. */
@Tag("ranks")
@Timeout(240)
class ByteRunsTest {

    @TempDir
    Path folder;

    private final Map<String, String> parameters = new HashMap<>();

    @BeforeEach
    void writeKernels() throws IOException {
        Path kernels = folder.resolve("kernels");
        parameters.put("rankunit.kernel-sources", kernels.toString());
        parameters.put("rankunit.sim.check", "bytes");
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/fill.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fill(const uint64_t *args, int) {
                    for (uint64_t i = 0; i < args[1]; i++) rankunit_pointer<int32_t>(args[0])[i] = 7;
                    return 0;
                }
                """);
        Files.writeString(kernels.resolve("aiv/sum.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int sum(const uint64_t *args, int) {
                    int32_t sum = 0;
                    for (uint64_t i = 0; i < args[1]; i++) sum += rankunit_pointer<int32_t>(args[0])[i];
                    *rankunit_pointer<int32_t>(args[2]) = sum;
                    return 0;
                }
                """);
        Files.writeString(kernels.resolve("aiv/spread.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_BLOCK_KERNEL(spread)(const KernelEnv *env, const uint64_t *args, int) {
                    int32_t *to = rankunit_pointer<int32_t>(args[0]);
                    for (uint64_t i = env->block; i < args[1]; i += env->blocks) to[i] = 1;
                    return 0;
                }
                """);
        Files.writeString(kernels.resolve("aiv/store.cpp"), """
                #include <atomic>
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int store(const uint64_t *args, int) {
                    rankunit_pointer<std::atomic<int32_t>>(args[0])->store(1);
                    return 0;
                }
                """);
        Files.writeString(kernels.resolve("aiv/read_twice.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_BLOCK_KERNEL(read_twice)(const KernelEnv *env, const uint64_t *args, int) {
                    volatile int32_t *line = rankunit_pointer<volatile int32_t>(args[0]);
                    int32_t *cells = rankunit_pointer<int32_t>(args[1]);
                    if (env->block == 0) {
                        const int32_t before = line[0];
                        rankunit_signal(env, cells, KERNEL_SIGNAL_SET, 1);
                        rankunit_wait(env, cells + 1, KERNEL_EQ, 1);
                        return line[0] == before + 1 ? 0 : 1;
                    }
                    rankunit_wait(env, cells, KERNEL_EQ, 1);
                    line[0] = line[0] + 1;
                    rankunit_signal(env, cells + 1, KERNEL_SIGNAL_SET, 1);
                    return 0;
                }
                """);
        Files.writeString(kernels.resolve("aiv/remote.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int remote(const uint64_t *args, int) {
                    const auto *context = rankunit_pointer<const CommContext>(args[0]);
                    const auto *own = rankunit_pointer<const int32_t>(args[1]);
                    const auto *next = rankunit_remote(context, 1 - context->rankId, own);
                    for (int i = 0; i < 4; i++) rankunit_pointer<int32_t>(args[2])[i] = own[i] + next[i];
                    return 0;
                }
                """);
    }

    private EngineRun run(Class<?> type) {
        return EngineRun.of(folder, parameters, type);
    }

    @Test
    void aKernelAccessesWhatItDeclaresAndInThatWay() {
        EngineRun run = run(Declared.class);

        assertThat(run.results(Declared.class))
                .containsExactly(
                        "SUCCESSFUL aAsDeclared(RankContext)",
                        "FAILED bWritesBeyond(RankContext)",
                        "FAILED cWritesItsInput(RankContext)",
                        "FAILED dReadsItsOutput(RankContext)",
                        "FAILED eReadsBeyond(RankContext)",
                        "SUCCESSFUL fAnAddressAsAScalar(RankContext)",
                        "SUCCESSFUL gNothingDeclared(RankContext)");
        assertThat(run.message(Declared.class, "bWritesBeyond(RankContext)"))
                .contains(
                        "failed the simulator's checks; all ranks passed",
                        "undeclared: a kernel accesses bytes [16, 20) of `x` of rank 0, which it does not declare\n",
                        "    written by rank 0, stream ",
                        ", kernel \"fill\" on vector core 0: through a pointer at kernels/aiv/fill.cpp:3\n",
                        "    launched or made at ByteCases.java:",
                        "; declare an argument for it, or hand over its address as a scalar.")
                .containsOnlyOnce("undeclared: ");
        assertThat(run.message(Declared.class, "cWritesItsInput(RankContext)"))
                .contains(
                        "undeclared: a kernel accesses bytes [0, 16) of `x` of rank 0, which it declares only as input\n");
        assertThat(run.message(Declared.class, "dReadsItsOutput(RankContext)"))
                .contains(
                        "accesses bytes [0, 32) of `x` of rank 0, which it declares only as output and never writes\n");
        assertThat(run.message(Declared.class, "eReadsBeyond(RankContext)"))
                .contains("accesses bytes [16, 32) of `x` of rank 0, which it does not declare\n    read by ");
    }

    @Test
    void whatIsNotDeclaredIsNotLookedForUnlessAccessesAreKnown() {
        parameters.put("rankunit.sim.check", "ranges");

        assertThat(run(Declared.class).results(Declared.class)).allMatch(result -> result.startsWith("SUCCESSFUL "));
    }

    @Test
    void whatIsReadHasBeenWrittenByteByByte() {
        EngineRun run = run(Written.class);

        assertThat(run.results(Written.class))
                .containsExactly(
                        "FAILED aHalfOfAnOutput(RankContext)",
                        "SUCCESSFUL bAllOfIt(RankContext)",
                        "FAILED cOnlyAfterItWasRead(RankContext)",
                        "FAILED dByAKernelThatDeclaresNothing(RankContext)",
                        "SUCCESSFUL eInTurnByBlocks(RankContext)",
                        "SUCCESSFUL fByAtomicOperations(RankContext)",
                        "SUCCESSFUL gFreedBefore(RankContext)");
        assertThat(run.message(Written.class, "aHalfOfAnOutput(RankContext)"))
                .contains(
                        "unwritten: 32 bytes at 0x",
                        "(bytes [32, 64) of the 64 of its allocation 1 in this test at ByteCases.java:",
                        "were read, but nothing has written them\n    read by rank 0, host: a copy");
        assertThat(run.message(Written.class, "cOnlyAfterItWasRead(RankContext)"))
                .contains(
                        "unwritten: 64 bytes at 0x",
                        "were read, but nothing had written them; they are written only later\n",
                        "kernel \"sum\" on vector core 0: through a pointer at kernels/aiv/sum.cpp:4");
        assertThat(run.message(Written.class, "dByAKernelThatDeclaresNothing(RankContext)"))
                .contains("unwritten: 4 bytes at 0x", "(bytes [64, 68) of the 128 of its allocation 1 in this test");
    }

    @Test
    void windowsAreKnownByTheContextOfACommunicatorOrDeclared() {
        EngineRun run = run(InWindows.class);

        assertThat(run.results(InWindows.class))
                .containsExactly(
                        "SUCCESSFUL aThroughTheContext(RankContext)",
                        "SUCCESSFUL bByAnAddress(RankContext)",
                        "FAILED cBeyondWhatIsDeclaredThere(RankContext)");
        assertThat(run.message(InWindows.class, "cBeyondWhatIsDeclaredThere(RankContext)"))
                .contains("accesses bytes [8, 16) of `box` of rank 1, which it does not declare\n    read by rank 0, ");
    }

    /** The list of docs/races.md: where this changes, that does. */
    @Test
    void whatHardwareDoesAndTheSimulatorDoesNotIsNotFound() {
        EngineRun run = run(OnHardware.class);

        assertThat(run.results(OnHardware.class))
                .containsExactly(
                        "SUCCESSFUL aTwoCoresStoreToOneLine(RankContext)",
                        "SUCCESSFUL bAHostBufferIsReadBeforeItsCopyHasEnded(RankContext)",
                        "SUCCESSFUL cAHostBufferIsChangedBeforeItsCopyHasEnded(RankContext)",
                        "SUCCESSFUL dAKernelSeesWhatAnotherOneWroteAlthoughItHadReadItBefore(RankContext)",
                        "FAILED eAPlainStoreToACellThatAnotherStreamWaitsFor(RankContext)");
        assertThat(run.message(OnHardware.class, "eAPlainStoreToACellThatAnotherStreamWaitsFor(RankContext)"))
                .contains(
                        "race: two unordered accesses to bytes [32, 36) of the window of rank 0",
                        "kernel \"fill\" on vector core 0: through a pointer at kernels/aiv/fill.cpp:3",
                        "changed or waited for atomically by rank 0, stream ");
    }
}
