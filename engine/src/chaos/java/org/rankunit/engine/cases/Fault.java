package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.fail;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** What can go wrong with a rank, and what its failure must say then. */
public enum Fault {
    ASSERTION("struck ==>", () -> fail("struck ==>")),
    EXCEPTION("java.lang.IllegalStateException: struck", () -> {
        throw new IllegalStateException("struck");
    }),
    CHECKED_EXCEPTION("java.io.IOException: struck", () -> {
        throw new IOException("struck");
    }),
    ERROR("java.lang.LinkageError: struck", () -> {
        throw new LinkageError("struck");
    }),
    HEAP("java.lang.OutOfMemoryError", Fault::fillHeap),
    STACK("java.lang.StackOverflowError", () -> Notes.add("depth " + deeper(0))),
    EXIT("exited with code 7", () -> System.exit(7)),
    EXIT_AS_IF_GOOD("exited with code 0", () -> System.exit(0)),
    HALT("exited with code 9", () -> Runtime.getRuntime().halt(9)),
    ABORT("was killed by SIGABRT", Kernel::abort),
    BAD_ACCESS("SIGSEGV (0xb)", () -> new Pointer(8).setInt(0, 1)),
    SIGILL("SIGILL (0x4)", signal(4)),
    SIGBUS("SIGBUS (0x7)", signal(7)),
    SIGFPE("SIGFPE (0x8)", signal(8)),
    SIGKILL("was killed by SIGKILL", signal(Kernel.SIGKILL)),
    SIGTERM("was killed by SIGTERM", signal(15)),
    SIGHUP("was killed by SIGHUP", signal(1)),
    KILLED_WITH_CHILDREN("was killed by SIGKILL", () -> {
        FaultCases.Children.startAndForget();
        Kernel.signal(Kernel.SIGKILL);
    }),
    CLOSED_CHANNEL("the control channel has ended", Kernel::closeConnections),
    GARBLED("said what is no message", () -> say(4)),
    OVERSIZED("at most 16777216 are allowed", () -> say(1 << 30)),
    STOPPED("was stopped by a signal", signal(Kernel.SIGSTOP)),
    WAITS_FOR_EVER("had not ended after", () -> {}),
    SPINS_FOR_EVER("had not ended after", () -> {
        while (true) {
            Thread.onSpinWait();
        }
    });

    private final String told;

    @SuppressWarnings("ImmutableEnumChecker") // Nothing is captured.
    private final Act act;

    private interface Act {
        void run() throws IOException;
    }

    Fault(String told, Act act) {
        this.told = told;
        this.act = act;
    }

    /** What the failure of the rank must say. */
    public String told() {
        return told;
    }

    /** Whether only a time-out ends it. */
    public boolean isSlow() {
        return compareTo(STOPPED) >= 0;
    }

    /** Let it happen to this process; what does not end it at once ends it soon, so that it goes no further. */
    void strike() throws IOException {
        act.run();
        new Semaphore(0).acquireUninterruptibly();
    }

    private static Act signal(int signal) {
        return () -> Kernel.signal(signal);
    }

    private static void say(int length) throws IOException {
        Kernel.sayOnConnections(
                ByteBuffer.allocate(2 * Integer.BYTES).putInt(length).array());
    }

    private static void fillHeap() {
        List<byte[]> kept = new ArrayList<>();
        while (kept.size() < 1 << 20) {
            kept.add(new byte[1 << 20]);
        }
    }

    private static int deeper(int depth) {
        return depth < 0 ? depth : deeper(depth + 1) + 1;
    }
}
