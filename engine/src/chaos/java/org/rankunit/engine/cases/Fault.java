package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.fail;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
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
    GARBLED(Kind.CHANNEL, "said what is no message", () -> say(4, 4)),
    OVERSIZED(Kind.CHANNEL, "at most 16777216 are allowed", () -> say(1 << 30, 4)),
    KILLED_IN_A_MESSAGE(Kind.CHANNEL, "was killed by SIGKILL", () -> {
        say(1 << 20, 100);
        Kernel.signal(Kernel.SIGKILL);
    }),
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

    /** Whether there is such a fault at this moment. */
    public boolean canStrikeAt(Moment moment) {
        return switch (kind) {
            case THROWN -> moment.isOfTest() || (moment == Moment.START && this != STACK);
            case HARMLESS -> moment.isOfTest();
            case CHANNEL -> moment != Moment.START;
            case ENDED -> true;
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
