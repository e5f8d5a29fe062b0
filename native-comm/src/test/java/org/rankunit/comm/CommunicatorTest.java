package org.rankunit.comm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.comm.recorder.RecordedOperation;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;

@Tag("unit")
@Timeout(30)
class CommunicatorTest {

    @TempDir
    Path folder;

    private final Device device = Device.open("a2a3sim", 0);

    @AfterEach
    void closeDevice() {
        device.close();
    }

    private CommunicatorConfig config(int rank, int worldSize) {
        return RankScenario.config(rank, worldSize, folder.resolve("root"));
    }

    /** Opens two ranks in this process. */
    private Communicator[] openTwo() throws Exception {
        CompletableFuture<Communicator> other =
                CompletableFuture.supplyAsync(() -> Communicator.open(config(1, 2), device));
        Communicator own = Communicator.open(config(0, 2), device);
        return new Communicator[] {own, other.get(20, SECONDS)};
    }

    @Test
    void aKernelFindsTheContextAtItsFixedOffsets() {
        try (Communicator comm = Communicator.open(config(0, 1), device)) {
            long context = comm.deviceContext();
            assertThat(RankScenario.readLong(device, context)).as("workSpace").isZero();
            assertThat(RankScenario.readLong(device, context + 8))
                    .as("workSpaceSize")
                    .isZero();
            assertThat(RankScenario.readInt(device, context + 16)).as("rankId").isZero();
            assertThat(RankScenario.readInt(device, context + 20)).as("rankNum").isEqualTo(1);
            assertThat(RankScenario.readLong(device, context + 24))
                    .as("winSize")
                    .isEqualTo(comm.windowSize());
            assertThat(RankScenario.readLong(device, context + 32))
                    .as("windowsIn[0]")
                    .isEqualTo(comm.windowBase());
            assertThat(RankScenario.readLong(device, context + 32 + 8))
                    .as("windowsIn[1]")
                    .isZero();
            assertThat(RankScenario.readLong(device, context + 544))
                    .as("windowsOut[0]")
                    .isEqualTo(comm.windowBase());
            device.copyOut(context, new byte[1056], 0, 1056);
        }
    }

    @Test
    void gettersTellWhatWasOpened() {
        try (Communicator comm = Communicator.open(config(0, 1), device)) {
            assertThat(comm.rank()).isZero();
            assertThat(comm.worldSize()).isEqualTo(1);
            assertThat(comm.windowSize()).isEqualTo(4096);
            assertThat(comm).hasToString("Communicator[rank 0 of 1, a2a3sim]");
        }
    }

    @Test
    void closingTwiceDoesNothing() {
        Communicator comm = Communicator.open(config(0, 1), device);
        comm.close();
        comm.close();
    }

    @Test
    void anyUseAfterCloseSaysSo() {
        Communicator comm = Communicator.open(config(0, 1), device);
        comm.close();

        assertThatIllegalStateException()
                .isThrownBy(comm::barrier)
                .withMessage("the communicator of rank 0 of 1 is closed");
        assertThatIllegalStateException().isThrownBy(() -> comm.barrier(Duration.ofSeconds(1)));
        assertThatIllegalStateException().isThrownBy(() -> comm.abort(0, "late"));
    }

    @Test
    void windowsAreNoMemoryAnyMoreAfterClose() {
        Communicator comm = Communicator.open(config(0, 1), device);
        comm.close();

        assertThat(catchThrowableOfType(RuntimeException.class, () -> device.zero(comm.windowBase(), 1)))
                .hasMessageContaining("is in no device memory and no window");
    }

    @Test
    void closingReleasesAThreadInsideABarrier() throws Exception {
        Communicator[] ranks = openTwo();
        CompletableFuture<Void> inside = CompletableFuture.runAsync(ranks[0]::barrier);

        ranks[0].close();

        // Either it was inside and is released, or it came too late.
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> inside.get(10, SECONDS))
                .withCauseInstanceOf(RuntimeException.class)
                .satisfies(e -> assertThat(e.getCause())
                        .isInstanceOfAny(CommAbortedException.class, IllegalStateException.class));
        ranks[1].close();
    }

    @Test
    void anotherThreadMayAbortABarrier() throws Exception {
        Communicator[] ranks = openTwo();
        CompletableFuture<Void> inside = CompletableFuture.runAsync(ranks[0]::barrier);

        ranks[0].abort(1, "first");
        ranks[1].abort(0, "second");

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> inside.get(10, SECONDS))
                .havingCause()
                .isInstanceOf(CommAbortedException.class)
                .withMessage("rank 0 of 2, barrier: aborted because of rank 1: first");
        ranks[0].close();
        ranks[1].close();
    }

    @Test
    void eachRankTellsWhetherItHasAbortedItself() throws Exception {
        Communicator[] ranks = openTwo();
        assertThat(ranks[0].abortedHere()).isEmpty();

        assertThatExceptionOfType(CommException.class).isThrownBy(() -> ranks[0].barrier(Duration.ofMillis(1)));
        assertThatExceptionOfType(CommAbortedException.class).isThrownBy(ranks[1]::barrier);

        assertThat(ranks[0].abortedHere().orElse("")).contains("in barrier #1; rank 1 had not arrived");
        assertThat(ranks[1].abortedHere()).isEmpty();
        ranks[1].abort(0, "by hand");
        assertThat(ranks[1].abortedHere()).hasValue("rank 0 is to blame: by hand");
        assertThat(ranks[0].isClosed()).isFalse();
        ranks[0].close();
        assertThat(ranks[0].isClosed()).isTrue();
        ranks[1].close();
    }

    @Test
    void theRecorderShowsABarrierWhileAThreadIsInside() throws Exception {
        Communicator[] ranks = openTwo();
        CompletableFuture<Void> inside = CompletableFuture.runAsync(ranks[0]::barrier);
        while (ranks[0].recorder().operations().isEmpty()) {
            Thread.onSpinWait();
        }

        assertThat(ranks[0].recorder().operations())
                .singleElement()
                .satisfies(
                        operation -> assertThat(operation.state()).isEqualTo(RecordedOperation.State.ENTERED),
                        operation -> assertThat(operation.number()).isEqualTo(1));
        assertThat(ranks[1].recorder().operations()).isEmpty();
        ranks[1].barrier();
        inside.get(10, SECONDS);
        assertThat(ranks[0].recorder().operations())
                .singleElement()
                .satisfies(operation -> assertThat(operation.state()).isEqualTo(RecordedOperation.State.DONE));
        ranks[0].close();
        ranks[1].close();
    }

    @Test
    void aReleasedBarrierKeepsTheLineThatEnteredIt() throws Exception {
        Communicator[] ranks = openTwo();
        ranks[1].abort(1, "golden differs");

        assertThat(catchThrowableOfType(CommAbortedException.class, ranks[0]::barrier))
                .isNotNull();

        assertThat(ranks[0].recorder().operations()).singleElement().satisfies(operation -> {
            assertThat(operation.state()).isEqualTo(RecordedOperation.State.RELEASED);
            assertThat(operation.callers())
                    .anyMatch(frame -> frame.getClassName().equals(CommunicatorTest.class.getName()));
        });
        ranks[0].close();
        ranks[1].close();
    }

    @Test
    void aTimeoutThatIsSetHoldsAlsoAfterABarrierWithADeadlineOfItsOwn() throws Exception {
        Communicator[] ranks = openTwo();
        CompletableFuture<Void> other = CompletableFuture.runAsync(ranks[1]::barrier);
        ranks[0].setTimeout(Duration.ofMillis(50));
        ranks[0].barrier(Duration.ofSeconds(20));
        other.get(10, SECONDS);

        assertThat(catchThrowableOfType(CommException.class, ranks[0]::barrier))
                .satisfies(e -> assertThat(e.error()).isEqualTo(CommError.TIMEOUT))
                .hasMessageContaining("in barrier #2");
        ranks[0].close();
        ranks[1].close();
    }

    @Test
    void aBringUpThatFailsLeavesNothing() {
        CommunicatorConfig alone =
                new CommunicatorConfig(0, 3, new Rendezvous.File(folder.resolve("root")), 0, Duration.ofMillis(50));

        assertThat(catchThrowableOfType(CommException.class, () -> Communicator.open(alone, device)))
                .satisfies(e -> assertThat(e.error()).isEqualTo(CommError.TIMEOUT))
                .hasMessageMatching("rank 0 of 3, bring-up: rank 0 waited \\d+ ms for all ranks to map the windows;"
                        + " ranks 1, 2 had not arrived");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatDoesNotExistIsNamed() {
        Path missing = folder.resolve("missing");

        assertThat(catchThrowableOfType(
                        CommException.class,
                        () -> Communicator.open(RankScenario.config(0, 1, missing.resolve("root")), device)))
                .hasMessageContaining(missing + " is not a folder")
                .satisfies(e -> assertThat(e.error()).isEqualTo(CommError.INIT_FAILED));
    }

    @Test
    void aPlatformWithoutLibraryIsNamedWithTheKnownOnes() {
        assertThat(catchThrowableOfType(DeviceException.class, () -> Device.open("a9", 0)))
                .hasMessage("device 0 (a9): no communication library for platform a9 is part of this version of"
                        + " RankUnit; known: a2a3, a2a3sim, a5, a5sim");
    }

    @Test
    void aDeadlineOutOfRangeIsRefused() {
        try (Communicator comm = Communicator.open(config(0, 1), device)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> comm.barrier(Duration.ZERO))
                    .withMessage("deadline = PT0S is not in (0, 31 days]");
            comm.barrier(Duration.ofNanos(1));
        }
    }
}
