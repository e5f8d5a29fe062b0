package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.fail;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** What can go wrong with a rank, and what its failure must say then. */
public enum Fault {
    ASSERTION(Kind.THROWN, "struck ==>", () -> fail("struck ==>")),
    GOLDEN(
            Kind.THROWN,
            "1 of 3 elements differ",
            () -> Golden.of("struck", 1, 2, 3).verify(org.rankunit.Values.int32(1, 2, 4))),
    EXCEPTION(Kind.THROWN, "java.lang.IllegalStateException: struck", () -> {
        throw new IllegalStateException("struck");
    }),
    CHECKED_EXCEPTION(Kind.THROWN, "java.io.IOException: struck", () -> {
        throw new IOException("struck");
    }),
    ERROR(Kind.THROWN, "java.lang.LinkageError: struck", () -> {
        throw new LinkageError("struck");
    }),
    THREAD_DEATH(Kind.THROWN, "java.lang.ThreadDeath", () -> {
        throw new ThreadDeath();
    }),
    HEAP(Kind.THROWN, "java.lang.OutOfMemoryError", Fault::fillHeap),
    STACK(Kind.THROWN, "java.lang.StackOverflowError", () -> deeper(0)),
    LONG_MESSAGE(Kind.THROWN, "struck ==>", () -> fail("struck ==> " + "\u0001".repeat(3 << 20))),
    TELLS_NOTHING(Kind.THROWN, "(its getMessage() threw java.lang.LinkageError)", () -> {
        throw new TellsNothing();
    }),
    NO_OUTPUT(Kind.SPOILT, "System.out is null", () -> System.setOut(null)),
    OUTPUT_WITHOUT_FLUSH(
            Kind.SPOILT, "java.lang.IllegalStateException: no flush", () -> System.setOut(new Unflushable())),
    CLOSED_COMMUNICATOR(Kind.SPOILT, "closed", () -> Notes.rank().communicator().close()),
    ABORTED_COMMUNICATOR(Kind.SPOILT, "struck", Fault::abortCommunicator),
    LATE_ABORT(Kind.LATE, "struck", Fault::abortLater),
    EXIT(Kind.ENDED, "exited with code 7", () -> System.exit(7)),
    EXIT_AS_IF_GOOD(Kind.ENDED, "exited with code 0", () -> System.exit(0)),
    EXIT_ELSEWHERE(Kind.ENDED, "exited with code 7", () -> new Thread(() -> System.exit(7)).start()),
    HALT(Kind.ENDED, "exited with code 9", () -> Runtime.getRuntime().halt(9)),
    ABORT(Kind.ENDED, "was killed by SIGABRT", Kernel::abort),
    BAD_ACCESS(Kind.ENDED, "SIGSEGV (0xb)", () -> new Pointer(8).setInt(0, 1)),
    SIGILL(Kind.ENDED, "SIGILL (0x4)", signal(4)),
    SIGBUS(Kind.ENDED, "SIGBUS (0x7)", signal(7)),
    SIGFPE(Kind.ENDED, "SIGFPE (0x8)", signal(8)),
    SIGKILL(Kind.ENDED, "was killed by SIGKILL", signal(Kernel.SIGKILL)),
    SIGTERM(Kind.ENDED, "was killed by SIGTERM", signal(15)),
    SIGXCPU(Kind.ENDED, "was killed by SIGXCPU", signal(24)),
    SIGALRM(Kind.ENDED, "was killed by SIGALRM", signal(14)),
    KILLED_WITH_CHILDREN(Kind.ENDED, "was killed by SIGKILL", () -> {
        FaultCases.Children.startAndForget();
        Kernel.signal(Kernel.SIGKILL);
    }),
    KILLED_IN_A_FLOOD(Kind.ENDED, "was killed by SIGKILL", () -> {
        flood();
        Kernel.signal(Kernel.SIGKILL);
    }),
    CLOSED_CHANNEL(Kind.CHANNEL, "control channel", Kernel::closeConnections),
    GARBLED(Kind.CHANNEL, "sent something that is not a message", () -> say(4, 4)),
    OVERSIZED(Kind.CHANNEL, "at most 16777216 are allowed", () -> say(1 << 30, 4)),
    KILLED_IN_A_MESSAGE(Kind.CHANNEL, "was killed by SIGKILL", () -> {
        say(1 << 20, 100);
        Kernel.signal(Kernel.SIGKILL);
    }),
    MANY_GOLDENS(Kind.HARMLESS, "", Fault::compareOften),
    CLOSED_INPUT(Kind.HARMLESS, "", () -> System.in.close()),
    CLOSED_OUTPUT(Kind.HARMLESS, "", () -> System.out.close()),
    FLOOD(Kind.HARMLESS, "", Fault::flood),
    INTERRUPTED(Kind.HARMLESS, "", () -> Thread.currentThread().interrupt()),
    THREADS_LEFT(Kind.HARMLESS, "", () -> {
        new Thread(Fault::spin).start();
        new Thread(Fault::waitForEver).start();
    }),
    CHILDREN_LEFT(Kind.HARMLESS, "", FaultCases.Children::startAndForget),
    EXIT_THAT_HANGS(Kind.ENDLESS, "had not ended after", () -> {
        Runtime.getRuntime().addShutdownHook(new Thread(Fault::waitForEver));
        System.exit(7);
    }),
    WAITS(Kind.ENDLESS, "had not ended after", Fault::waitForEver),
    SPINS(Kind.ENDLESS, "had not ended after", Fault::spin),
    IGNORES_INTERRUPTION(Kind.ENDLESS, "had not ended after", Fault::waitDeaf),
    /** All ranks strike, and each waits for something else. */
    DEADLOCK(Kind.ENDLESS, "had not ended after", Fault::waitSomewhere),
    STOPPED(Kind.ENDLESS, "its process is stopped", signal(Kernel.SIGSTOP));

    /** How a fault is known. */
    public enum Kind {
        /** The test itself fails. */
        THROWN,
        /** The test goes on, and fails for what it has done to its rank. */
        SPOILT,
        /** The test goes on, and whatever runs a little later may fail. */
        LATE,
        /** The process of the rank ends. */
        ENDED,
        /** What the rank says is not what a rank says. */
        CHANNEL,
        /** Nothing fails. */
        HARMLESS,
        /** Only a time-out ends it. */
        ENDLESS
    }

    private static final int FLOOD_LINES = 4 << 10;
    private static final int MANY = 120_000;
    private static final long LATE_NANOS = 2_000_000;

    /** What an agent throws is printed by the JVM itself. */
    private static final Set<Fault> NOT_FOR_AGENTS = EnumSet.of(STACK, LONG_MESSAGE, TELLS_NOTHING);

    private final Kind kind;
    private final String told;

    @SuppressWarnings("ImmutableEnumChecker") // Nothing is captured.
    private final Act act;

    private interface Act {
        void run() throws IOException;
    }

    Fault(Kind kind, String told, Act act) {
        this.kind = kind;
        this.told = told;
        this.act = act;
    }

    public Kind kind() {
        return kind;
    }

    /** What the failure of the rank must say. */
    public String told() {
        return told;
    }

    /** Whether the rank goes on after it as if nothing had been. */
    boolean goesOn() {
        return kind == Kind.HARMLESS || kind == Kind.SPOILT || kind == Kind.LATE;
    }

    /** Whether there is such a fault at this moment. */
    public boolean canStrikeAt(Moment moment) {
        return switch (kind) {
            case THROWN -> moment.isOfTest() || (moment == Moment.START && !NOT_FOR_AGENTS.contains(this));
            case HARMLESS -> moment.isOfTest();
            case SPOILT, LATE -> moment.isOfOneTest() && moment != Moment.CONSTRUCTOR;
            case CHANNEL -> moment != Moment.START && moment != Moment.CONSTRUCTOR;
            case ENDED -> moment != Moment.CONSTRUCTOR;
            case ENDLESS ->
                moment.isOfTest()
                        || (moment == Moment.START && this != DEADLOCK)
                        || (moment == Moment.SHUTDOWN && this != DEADLOCK && this != EXIT_THAT_HANGS)
                        || this == STOPPED;
        };
    }

    /** Let it happen to this process. */
    void strike() throws IOException {
        act.run();
    }

    private static Act signal(int signal) {
        return () -> Kernel.signal(signal);
    }

    /** Say how long a message is, and then less than that, which is no message either. */
    private static void say(int length, int bytes) throws IOException {
        Kernel.sayOnConnections(
                ByteBuffer.allocate(Integer.BYTES + bytes).putInt(length).array());
    }

    private static void abortCommunicator() {
        RankContext rank = Notes.rank();
        rank.communicator().abort(rank.rank(), "struck");
    }

    private static void abortLater() {
        StrikeAgent.inBackground(() -> {
            LockSupport.parkNanos(LATE_NANOS);
            abortCommunicator();
        });
    }

    private static void compareOften() {
        Golden golden = Golden.of("many", 1, 2);
        for (int i = 0; i < MANY; i++) {
            golden.verify(org.rankunit.Values.int32(1, 2));
        }
    }

    private static final class Unflushable extends PrintStream {

        Unflushable() {
            super(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        }

        @Override
        public void flush() {
            throw new IllegalStateException("no flush");
        }
    }

    /** An exception that cannot be asked, as a mock may be. */
    private static final class TellsNothing extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new LinkageError("no message");
        }
    }

    private static void fillHeap() {
        List<byte[]> kept = new ArrayList<>();
        while (kept.size() < 1 << 20) {
            kept.add(new byte[1 << 20]);
        }
    }

    private static void deeper(int depth) {
        if (depth >= 0) {
            deeper(depth + 1);
            Thread.onSpinWait();
        }
    }

    private static void flood() {
        String line = "x".repeat(1023);
        for (int i = 0; i < FLOOD_LINES; i++) {
            System.out.println(line);
        }
    }

    static void waitForEver() {
        new Semaphore(0).acquireUninterruptibly();
    }

    private static void waitSomewhere() {
        if (Notes.rank().rank() % 2 == 0) {
            waitForEver();
        }
        waitDeaf();
    }

    private static void spin() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    private static void waitDeaf() {
        while (true) {
            try {
                Thread.currentThread().interrupt();
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.onSpinWait();
            }
        }
    }
}
