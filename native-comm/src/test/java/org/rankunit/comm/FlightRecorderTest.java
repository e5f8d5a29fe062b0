package org.rankunit.comm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.comm.RecordedOperation.Kind;
import org.rankunit.comm.RecordedOperation.State;

@Timeout(30)
class FlightRecorderTest {

    private final FlightRecorder recorder = new FlightRecorder();

    private void barrier(Runnable body) {
        recorder.record(Kind.BARRIER, 0, List.of(), body);
    }

    private RecordedOperation last() {
        List<RecordedOperation> operations = recorder.operations();
        return operations.get(operations.size() - 1);
    }

    @Test
    void aNewOneHasNothing() {
        assertThat(recorder.operations()).isEmpty();
    }

    @Test
    void whatIsDoneIsKeptInItsOrderWithItsNumber() {
        long before = System.nanoTime();
        barrier(() -> {});
        recorder.record(Kind.BARRIER, 256, List.of(3), () -> {});

        assertThat(recorder.operations())
                .extracting(RecordedOperation::number, RecordedOperation::bytes, RecordedOperation::peers)
                .containsExactly(tuple(1L, 0L, List.of()), tuple(2L, 256L, List.of(3)));
        assertThat(last().state()).isEqualTo(State.DONE);
        assertThat(last().startedNanos() - before).isNotNegative();
        assertThat(last().kind().text()).isEqualTo("barrier");
    }

    @Test
    void theOldestMakeRoomForNewOnes() {
        for (int i = 0; i < FlightRecorder.KEPT + 3; i++) {
            barrier(() -> {});
        }

        assertThat(recorder.operations())
                .hasSize(FlightRecorder.KEPT)
                .first()
                .satisfies(first -> assertThat(first.number()).isEqualTo(4));
        assertThat(last().number()).isEqualTo(FlightRecorder.KEPT + 3);
    }

    @Test
    void anotherThreadSeesWhoIsInsideAndTheLineThatStartedIt() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> barrier(() -> {
            inside.countDown();
            await(mayLeave);
        }));
        assertThat(inside.await(10, SECONDS)).isTrue();

        RecordedOperation operation = last();

        assertThat(operation.state()).isEqualTo(State.ENTERED);
        assertThat(operation.callers())
                .extracting(StackTraceElement::getMethodName)
                .contains("barrier");
        mayLeave.countDown();
        running.get(10, SECONDS);
        assertThat(last().callers()).isEmpty();
    }

    @Test
    void aReleaseKeepsTheLineThatWaited() {
        assertThat(catchThrowable(() -> barrier(() -> {
                    throw new CommAbortedException(CommError.ABORTED, 1, "released");
                })))
                .isInstanceOf(CommAbortedException.class);

        assertThat(last().state()).isEqualTo(State.RELEASED);
        assertThat(last().callers())
                .first()
                .satisfies(frame ->
                        assertThat(frame.getClassName()).isEqualTo(getClass().getName()));
    }

    @Test
    void aFailureOfItsOwnIsToldFromARelease() {
        assertThat(catchThrowable(() -> barrier(() -> {
                    throw new CommException(CommError.TIMEOUT, "late");
                })))
                .isInstanceOf(CommException.class);

        assertThat(last().state()).isEqualTo(State.FAILED);
    }

    @Test
    void whatIsRefusedNeverWas() {
        barrier(() -> {});
        assertThat(catchThrowable(() -> barrier(() -> {
                    throw new CommException(CommError.INVALID_STATE, "another thread is inside");
                })))
                .isNotNull();
        assertThat(catchThrowable(() -> barrier(() -> {
                    throw new IllegalStateException("closed");
                })))
                .isNotNull();
        barrier(() -> {});

        assertThat(recorder.operations()).extracting(RecordedOperation::number).containsExactly(1L, 2L);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
