package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.comm.CommException;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.recorder.RecordedOperation;
import org.rankunit.golden.Golden;

/** Tests that make it hard for their rank to report them, or leave it of no use to the next test. */
public final class ReportCases {

    private ReportCases() {}

    private static void noteProcess(TestInfo info) {
        Notes.add(info.getTestMethod().orElseThrow().getName() + " "
                + ProcessHandle.current().pid());
    }

    /** Each of them does something to the report on rank 1, or says more than a message holds. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Unreportable {

        private static final int LARGER_THAN_A_MESSAGE = 17 << 20;

        @Test
        @Order(1)
        void withoutOutput(RankContext rank) {
            if (rank.rank() == 1) {
                System.setOut(null);
            }
        }

        @Test
        @Order(2)
        void outputThatCannotBeFlushed(RankContext rank) {
            if (rank.rank() == 1) {
                System.setOut(new Unflushable());
            }
        }

        @Test
        @Order(3)
        void failsWithoutErrors(RankContext rank) {
            if (rank.rank() == 1) {
                System.setErr(null);
                fail("the failure of the test itself");
            }
        }

        @Test
        @Order(4)
        void manyGoldens() {
            Golden golden = Golden.of("same", 1, 2);
            for (int i = 0; i < 120_000; i++) {
                golden.verify(Values.int32(1, 2));
            }
        }

        @Test
        @Order(5)
        void failsAfterManyGoldens() {
            manyGoldens();
            Golden.of("last", 1, 2).verify(Values.int32(1, 3));
        }

        @Test
        @Order(6)
        void endlessMessage(RankContext rank) {
            if (rank.rank() == 1) {
                fail("endless " + "\u0001".repeat(LARGER_THAN_A_MESSAGE));
            }
        }

        @Test
        @Order(7)
        void endlessMessages(RankContext rank) {
            if (rank.rank() == 1) {
                AssertionError first = new AssertionError("first");
                for (int i = 0; i < 1000; i++) {
                    first.addSuppressed(new AssertionError("\u0001".repeat(100_000)));
                }
                throw first;
            }
        }

        @Test
        @Order(8)
        void halfACharacter(RankContext rank) {
            if (rank.rank() == 1) {
                fail("half of \ud83d");
            }
        }

        @Test
        @Order(9)
        void exceptionThatTellsNothing(RankContext rank) {
            if (rank.rank() == 1) {
                throw new TellsNothing();
            }
        }

        @Test
        @Order(10)
        void causesInACircle(RankContext rank) {
            if (rank.rank() == 1) {
                IllegalStateException inner = new IllegalStateException("inner");
                IllegalStateException outer = new IllegalStateException("outer", inner);
                inner.initCause(outer);
                throw outer;
            }
        }

        @Test
        @Order(11)
        void closesItsCommunicator(RankContext rank) {
            if (rank.rank() == 1) {
                rank.communicator().close();
            } else {
                rank.barrier();
            }
        }

        @Test
        @Order(12)
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    private static final class Unflushable extends PrintStream {

        Unflushable() {
            super(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        }

        @Override
        public void flush() {
            throw new IllegalStateException("no flush here");
        }
    }

    /** As a mock of an exception may be. */
    private static final class TellsNothing extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new LinkageError("no message");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("no stack");
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString")
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    /** Each test that leaves its communicator aborted is followed by one that needs it. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Aborts {

        @Test
        @Order(1)
        void catchesItsTimeout(RankContext rank) {
            if (rank.rank() == 0) {
                try {
                    rank.barrier(Duration.ofMillis(10));
                } catch (CommException e) {
                    Notes.add("caught " + e.error());
                }
            }
        }

        @Test
        @Order(2)
        void thenPasses(RankContext rank, TestInfo info) {
            noteProcess(info);
            rank.barrier();
        }

        /** Nobody can tell whose it is, so it is nobody's failure. */
        @Test
        @Order(3)
        @ExtendWith(AbortsAfterwards.class)
        void isAbortedAfterwards(RankContext rank, TestInfo info) {
            noteProcess(info);
            rank.barrier();
        }

        @Test
        @Order(4)
        void passesOnNewRanks(RankContext rank, TestInfo info) {
            noteProcess(info);
            rank.barrier();
        }
    }

    /** A thread of rank 1 aborts the communicator while the test of that rank waits in it. */
    @DeviceCount(2)
    public static class AbortsInAWait {

        @Test
        void isAbortedInItsOwnBarrier(RankContext rank) {
            if (rank.rank() == 1) {
                Communicator communicator = rank.communicator();
                Thread striker = new Thread(() -> {
                    while (communicator.recorder().operations().stream()
                            .noneMatch(operation -> operation.state() == RecordedOperation.State.ENTERED)) {
                        Thread.onSpinWait();
                    }
                    communicator.abort(1, "struck");
                });
                striker.setDaemon(true);
                striker.start();
            }
            if (rank.rank() == 1) {
                rank.barrier();
            }
        }
    }

    private static void abortOnRank1() {
        if (Notes.isRank(1)) {
            Notes.rank().communicator().abort(1, "too late");
        }
    }

    static final class AbortsAfterwards implements AfterTestExecutionCallback {

        @Override
        public void afterTestExecution(ExtensionContext context) {
            abortOnRank1();
        }
    }

    static final class AbortsAtTheEnd implements AfterAllCallback {

        @Override
        public void afterAll(ExtensionContext context) {
            abortOnRank1();
        }
    }

    /** It leaves a communicator of no use to the class behind it. */
    @DeviceCount(2)
    @ExtendWith(AbortsAtTheEnd.class)
    public static class AbortsAtItsEnd {

        @Test
        void passes(RankContext rank, TestInfo info) {
            noteProcess(info);
            rank.barrier();
        }

        @AfterAll
        static void close(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    public static class NextClass {

        @BeforeAll
        static void open(RankContext rank) {
            rank.barrier();
        }

        @Test
        void isInnocent(RankContext rank, TestInfo info) {
            noteProcess(info);
            rank.barrier();
        }
    }
}
