package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Tests that pass and leave something behind, and those that come after them and are not to blame. */
public final class BlameCases {

    private BlameCases() {}

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class LeavesFilesOpen {

        private static final int LIMIT = 1000;
        private static final List<FileInputStream> KEPT = new ArrayList<>();

        /** Loads what the other one needs. */
        @Test
        void aPasses(RankContext rank) {
            assertThat(new IOException("any")).hasMessageContaining("any");
            rank.barrier();
        }

        @Test
        void bLeavesFilesOpen(RankContext rank) {
            if (rank.rank() == 1) {
                Kernel.limitFiles(LIMIT);
                openAll();
            }
            rank.barrier();
        }

        private static void openAll() {
            try {
                while (KEPT.size() < LIMIT) {
                    KEPT.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("Too many open files");
            }
        }
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class TakesBothStreams {

        @Test
        void aTakesThem(RankContext rank) {
            rank.barrier();
            if (rank.rank() == 1) {
                System.setOut(null);
                System.setErr(null);
            }
        }

        @Test
        void bPasses(RankContext rank) {
            rank.barrier();
        }
    }

    /** A thread that the first test has left aborts the communicator in the second one. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class LeavesAThreadThatAborts {

        private static final CountDownLatch NEXT = new CountDownLatch(1);

        @Test
        void aLeavesAThread(RankContext rank) {
            if (rank.rank() == 1) {
                inBackground(NEXT, () -> rank.communicator().abort(1, "struck"));
            }
            rank.barrier();
        }

        @Test
        void bIsStruck(RankContext rank) {
            NEXT.countDown();
            while (true) {
                rank.barrier();
            }
        }
    }

    /** A thread that the first test has left crashes the JVM in the second one. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class LeavesAThreadThatCrashes {

        private static final CountDownLatch NEXT = new CountDownLatch(1);

        @Test
        void aLeavesAThread(RankContext rank) {
            if (rank.rank() == 1) {
                inBackground(NEXT, () -> new Pointer(8).setInt(0, 1));
            }
            rank.barrier();
        }

        @Test
        void bIsStruck(RankContext rank) {
            NEXT.countDown();
            while (true) {
                rank.barrier();
            }
        }
    }

    /** A thread that the first test has left aborts the process in the second one, in native code. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class LeavesAThreadThatEndsItsProcess {

        private static final CountDownLatch NEXT = new CountDownLatch(1);

        @Test
        void aLeavesAThread(RankContext rank) {
            if (rank.rank() == 1) {
                inBackground(NEXT, Kernel::abort);
            }
            rank.barrier();
        }

        @Test
        void bIsStruck(RankContext rank) {
            NEXT.countDown();
            while (true) {
                rank.barrier();
            }
        }
    }

    private static void inBackground(CountDownLatch start, Runnable late) {
        Thread thread = new Thread(
                () -> {
                    try {
                        start.await();
                        late.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "late");
        thread.setDaemon(true);
        thread.start();
    }

    /** Its thread finds no classes any more. */
    @DeviceCount(2)
    public static class LeavesAnEmptyClassLoader {

        @Test
        void passes(RankContext rank) {
            rank.barrier();
            if (rank.rank() == 1) {
                Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], null));
            }
        }
    }

    /** On the same ranks as {@link LeavesAnEmptyClassLoader}. */
    @DeviceCount(2)
    public static class AfterAnEmptyClassLoader {

        @Test
        void passes(RankContext rank) {
            rank.barrier();
        }
    }

    /** On the same ranks as {@link LeavesFilesOpen}. */
    @DeviceCount(2)
    public static class Next {

        @Test
        void passes(RankContext rank) {
            rank.barrier();
        }
    }
}
