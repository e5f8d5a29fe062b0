package org.rankunit.engine.cases;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** What can go wrong with one rank while the others wait for it. */
public final class FaultCases {

    private static final int MIB = 1 << 20;

    private FaultCases() {}

    /** Its process comes to an end, or is of no more use. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Deaths {

        @Test
        void abortInNativeCode(RankContext rank) {
            if (rank.rank() == 1) {
                Kernel.abort();
            }
            rank.barrier();
        }

        /** Of {@link MadeKernel#thatWritesNowhere}. */
        @Test
        void kernelWritesNowhere(RankContext rank) {
            if (rank.rank() == 1) {
                rank.kernel("nowhere").launch();
            }
            rank.barrier();
        }

        @Test
        void memoryThatIsNotThere(RankContext rank) {
            if (rank.rank() == 1) {
                new Pointer(8).setInt(0, 1);
            }
            rank.barrier();
        }

        @Test
        void noMoreHeap(RankContext rank) {
            if (rank.rank() == 1) {
                List<byte[]> kept = new ArrayList<>();
                while (kept.size() < MIB) {
                    kept.add(new byte[MIB]);
                }
            }
            rank.barrier();
        }

        @Test
        void noMoreStack(RankContext rank) {
            if (rank.rank() == 1) {
                Notes.add("depth " + deeper(0));
            }
            rank.barrier();
        }

        private static int deeper(int depth) {
            return depth < 0 ? depth : deeper(depth + 1) + 1;
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    /** It says what no rank says, or nothing ever again. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BadWords {

        @Test
        void closesItsChannel(RankContext rank) throws IOException {
            if (rank.rank() == 1) {
                Kernel.closeConnections();
                new Semaphore(0).acquireUninterruptibly();
            }
            rank.barrier();
        }

        @Test
        void closesItsDescriptors(RankContext rank) throws IOException {
            if (rank.rank() == 1) {
                Kernel.closeDescriptors();
            }
            rank.barrier();
        }

        @Test
        void noMessage(RankContext rank) throws IOException {
            say(rank, 4, "what");
        }

        @Test
        void tooLarge(RankContext rank) throws IOException {
            say(rank, 1 << 30, "what");
        }

        @Test
        void unknownTest(RankContext rank) throws IOException {
            String message = "{\"type\":\"Registered\",\"uniqueId\":\"nonsense\",\"parentId\":\""
                    + "[engine:junit-jupiter]/[class:" + BadWords.class.getName()
                    + "]/[method:unknownTest(org.rankunit.RankContext)]\",\"displayName\":\"\",\"legacyName\":\"\","
                    + "\"test\":true,\"className\":null,\"methodName\":null,\"parameterTypes\":null,\"tags\":[]}";
            say(rank, message.length(), message);
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }

        private static void say(RankContext rank, int length, String text) throws IOException {
            if (rank.rank() == 1) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                Kernel.sayOnConnections(ByteBuffer.allocate(Integer.BYTES + bytes.length)
                        .putInt(length)
                        .put(bytes)
                        .array());
                new Semaphore(0).acquireUninterruptibly();
            }
            rank.barrier();
        }
    }

    @DeviceCount(2)
    public static class Flood {

        private static final int LINE = 1024;

        @Test
        void ofOutput(RankContext rank) {
            String line = "x".repeat(LINE - 1);
            for (int i = 0; i < Integer.getInteger("cases.flood", 64) * (MIB / LINE) && rank.rank() == 1; i++) {
                System.out.println(line);
            }
            rank.barrier();
        }
    }

    /** A test that ends with its thread interrupted, and one that comes after it. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Interrupted {

        @Test
        void leftInterrupted(RankContext rank) {
            if (rank.rank() == 1) {
                Thread.currentThread().interrupt();
            }
            rank.barrier();
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    /** Processes that a rank starts and forgets. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Children {

        @Test
        @Order(1)
        void ofARankThatIsKilled(RankContext rank) throws IOException {
            if (rank.rank() == 1) {
                startAndForget();
                Kernel.signal(Kernel.SIGKILL);
                new Semaphore(0).acquireUninterruptibly();
            }
            rank.barrier();
        }

        @Test
        @Order(2)
        void ofARankThatPasses(RankContext rank) throws IOException {
            startAndForget();
            rank.barrier();
        }

        /** A child, a grandchild whose parent ends at once, and ones in sessions of their own, as daemons are, also without the environment. */
        static void startAndForget() throws IOException {
            String grandchild = "sleep 1000 >/dev/null 2>&1 & echo $!";
            noteChildOf("sh", "-c", grandchild);
            noteChildOf("setsid", "sh", "-c", grandchild);
            noteChildOf("env", "-i", "PATH=" + System.getenv("PATH"), "setsid", "sh", "-c", grandchild);
            Notes.add("child " + new ProcessBuilder("sleep", "1000").start().pid());
        }

        private static void noteChildOf(String... command) throws IOException {
            Process shell = new ProcessBuilder(command).start();
            Notes.add("child " + new String(shell.getInputStream().readNBytes(64), StandardCharsets.UTF_8).strip());
        }
    }

    /** Each rank has started processes, and does something else forever: one cannot even hear that its parent is gone. */
    @DeviceCount(4)
    public static class ForEver {

        @Test
        void inEveryWay(RankContext rank) throws IOException {
            Children.startAndForget();
            Notes.add("process " + ProcessHandle.current().pid());
            if (rank.rank() == 0) {
                rank.barrier();
            } else if (rank.rank() == 1) {
                new Semaphore(0).acquireUninterruptibly();
            } else if (rank.rank() == 2) {
                Kernel.signal(Kernel.SIGSTOP);
            }
            while (true) {
                Thread.onSpinWait();
            }
        }
    }

    /** A kernel that never ends, on one rank. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class EndlessKernel {

        @Test
        void spins(RankContext rank) {
            if (rank.rank() == 1) {
                rank.kernel("endless").launch();
            }
            rank.barrier();
        }

        @Test
        void theNext(RankContext rank) {
            rank.barrier();
        }
    }

    /** Ranks that never come to an end by themselves. */
    public static final class Hangs {

        private Hangs() {}

        @DeviceCount(2)
        public static class Stopped {

            @Test
            void bySignal(RankContext rank) {
                if (rank.rank() == 1) {
                    // The signal may reach another thread first.
                    Kernel.signal(Kernel.SIGSTOP);
                    new Semaphore(0).acquireUninterruptibly();
                }
                rank.barrier();
            }
        }

        @DeviceCount(3)
        public static class DifferentPlaces {

            @Test
            void deadlock(RankContext rank) throws InterruptedException {
                if (rank.rank() == 0) {
                    rank.barrier();
                } else if (rank.rank() == 1) {
                    new CountDownLatch(1).await();
                } else {
                    new Semaphore(0).acquire();
                }
            }
        }

        @DeviceCount(2)
        public static class Busy {

            @Test
            void livelock(RankContext rank) {
                while (rank.rank() == 1) {
                    Thread.onSpinWait();
                }
                rank.barrier();
            }
        }

        @DeviceCount(2)
        public static class Deaf {

            @Test
            void ignoresInterruption(RankContext rank) {
                Thread self = Thread.currentThread();
                while (rank.rank() == 1) {
                    try {
                        self.interrupt();
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.onSpinWait();
                    }
                }
                rank.barrier();
            }
        }
    }
}
