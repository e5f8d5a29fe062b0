package org.rankunit.comm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.comm.recorder.DomainOperations;
import org.rankunit.comm.recorder.FlightRecorder;
import org.rankunit.comm.recorder.RecordedOperation;
import org.rankunit.comm.recorder.RecordedOperation.Kind;
import org.rankunit.comm.recorder.RecordedOperation.State;

@Tag("unit")
@Timeout(30)
class FlightRecorderTest {

    private final FlightRecorder recorder = CommCalls.newRecorder();
    private final FlightRecorder.Series barriers = new FlightRecorder.Series(Kind.BARRIER, List.of(), 0);

    private void barrier(Runnable body) {
        recorder.record(barriers, 0, body);
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
        recorder.record(barriers, 256, true, () -> {});

        assertThat(recorder.operations())
                .extracting(RecordedOperation::number, RecordedOperation::bytes, RecordedOperation::limited)
                .containsExactly(tuple(1L, 0L, false), tuple(2L, 256L, true));
        assertThat(last().state()).isEqualTo(State.DONE);
        assertThat(last().startedNanos() - before).isNotNegative();
        assertThat(last().kind().text()).isEqualTo("barrier");
    }

    @Test
    void eachDomainCountsForItself() {
        DomainOperations first = new DomainOperations(recorder, new int[] {2, 0}, 1);
        DomainOperations second = new DomainOperations(recorder, new int[] {2, 0}, 2);
        first.allocate(64, () -> {});
        barrier(() -> {});
        first.barrier(() -> {});
        second.barrier(() -> {});
        first.barrier(() -> {});
        first.release(() -> {});

        assertThat(recorder.operations())
                .extracting(o -> o.kind().text(), RecordedOperation::domain, RecordedOperation::number)
                .containsExactly(
                        tuple("allocation", 1, 1L),
                        tuple("barrier", 0, 1L),
                        tuple("barrier", 1, 1L),
                        tuple("barrier", 2, 1L),
                        tuple("barrier", 1, 2L),
                        tuple("release", 1, 1L));
        assertThat(last().peers()).containsExactly(2, 0);
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
        assertThat(catchThrowable(() -> barrier(() -> {
                    throw new CommException(CommError.INVALID_ARGUMENT, "no such rank");
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
