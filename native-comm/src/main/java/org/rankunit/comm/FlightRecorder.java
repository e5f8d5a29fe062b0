package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.RecordedOperation.Kind;
import org.rankunit.comm.RecordedOperation.State;

/**
 * Keeps the last {@value #KEPT} operations of one rank's communicator, so that a hang can be explained by what the ranks were
 * doing.
 *
 * <p>Any thread may read it at any time, even while the thread that runs the operations is stuck in one of them. Recording an
 * operation takes a clock reading and a few writes, far less than the fastest barrier. The line of Java that started it is only
 * determined when somebody reads.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class FlightRecorder {

    /** How many operations are kept. */
    public static final int KEPT = 64;

    /** The frames above the user's line in a stack: these classes and their lambdas, and whole packages. */
    private static final Set<String> OWN_CLASSES = Set.of(
            Communicator.class.getName(),
            Domain.class.getName(),
            DomainOperations.class.getName(),
            CommCalls.class.getName(),
            FlightRecorder.class.getName(),
            Series.class.getName());

    private final AtomicReferenceArray<@Nullable Entry> ring = new AtomicReferenceArray<>(KEPT);
    private final AtomicLong next = new AtomicLong();

    FlightRecorder() {}

    /** The operations of one kind among the same ranks: operations with the same number belong together on all of these ranks. */
    static final class Series {

        final Kind kind;
        final List<Integer> peers;
        final int domain;
        private final AtomicLong number = new AtomicLong();

        /** @param peers the ranks it is done with; empty for all */
        Series(Kind kind, List<Integer> peers, int domain) {
            this.kind = kind;
            this.peers = List.copyOf(peers);
            this.domain = domain;
        }
    }

    /** One operation, in progress or done. */
    private static final class Entry {

        final Series series;
        final long number;
        final long bytes;
        final boolean limited;
        final long startedNanos = System.nanoTime();

        /** The thread inside the operation; none once it is done. */
        private volatile @Nullable Thread thread = Thread.currentThread();

        private volatile StackTraceElement[] callers = {};

        private volatile State state = State.ENTERED;

        Entry(Series series, long number, long bytes, boolean limited) {
            this.series = series;
            this.number = number;
            this.bytes = bytes;
            this.limited = limited;
        }

        void end(State how, StackTraceElement[] where) {
            callers = where;
            state = how;
            thread = null;
        }

        RecordedOperation read() {
            Thread inside = thread;
            StackTraceElement[] live = inside == null ? callers : inside.getStackTrace();
            // A thread that has left by now may be anywhere; what it left behind is then the better answer.
            State now = state;
            StackTraceElement[] stack = now == State.ENTERED ? live : callers;
            return new RecordedOperation(
                    series.kind,
                    number,
                    bytes,
                    series.peers,
                    series.domain,
                    limited,
                    now,
                    startedNanos,
                    callersOf(stack));
        }

        /** The frames above the caller are the communicator's own. */
        private static List<StackTraceElement> callersOf(StackTraceElement[] stack) {
            int own = 0;
            while (own < stack.length && isOwn(stack[own].getClassName())) {
                own++;
            }
            return List.of(stack).subList(own, stack.length);
        }

        private static boolean isOwn(String type) {
            return OWN_CLASSES.contains(type)
                    || type.startsWith("org.rankunit.comm.jna.")
                    || type.startsWith("com.sun.jna.");
        }
    }

    /** Run and record an operation that ends at the communicator's time-out at the latest. */
    void record(Series series, long bytes, Runnable operation) {
        record(series, bytes, false, operation);
    }

    /**
     * Run and record an operation.
     *
     * @param limited whether the caller set a deadline for it
     */
    void record(Series series, long bytes, boolean limited, Runnable operation) {
        Entry entry = new Entry(series, series.number.incrementAndGet(), bytes, limited);
        int slot = (int) (next.getAndIncrement() % KEPT);
        ring.set(slot, entry);
        try {
            operation.run();
            entry.end(State.DONE, new StackTraceElement[0]);
        } catch (CommAbortedException e) {
            entry.end(State.RELEASED, e.getStackTrace());
            throw e;
        } catch (RuntimeException | Error e) {
            if (isRefused(e)) {
                // It never was: this rank's operations keep the numbers that its peers count.
                series.number.decrementAndGet();
                ring.compareAndSet(slot, entry, null);
            }
            entry.end(State.FAILED, e.getStackTrace());
            throw e;
        }
    }

    private static boolean isRefused(Throwable failure) {
        return failure instanceof IllegalStateException
                || (failure instanceof CommException comm
                        && switch (comm.error()) {
                            case INVALID_STATE, INVALID_ARGUMENT, NOT_SUPPORTED -> true;
                            default -> false;
                        });
    }

    /** Get the recorded operations, the oldest first. */
    public List<RecordedOperation> operations() {
        List<RecordedOperation> operations = new ArrayList<>();
        long end = next.get();
        for (long i = Math.max(0, end - KEPT); i < end; i++) {
            Entry entry = ring.get((int) (i % KEPT));
            if (entry != null) {
                operations.add(entry.read());
            }
        }
        return operations;
    }
}
