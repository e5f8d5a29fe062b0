package org.rankunit.comm.recorder;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.recorder.RecordedOperation.Kind;
import org.rankunit.comm.recorder.RecordedOperation.State;

/**
 * Keeps the last {@value #KEPT} operations of one rank's communicator, so that a hang can be explained by what the ranks were
 * doing.
 *
 * <p>Any thread may read it at any time, even while the thread that runs the operations is stuck in one of them. Recording an
 * operation takes a clock reading and a few writes, far less than the fastest barrier. The line of Java that started it is only
 * determined when it is read.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class FlightRecorder {

    /** How many operations are kept. */
    public static final int KEPT = 64;

    /** Frames above the user's line in a stack, besides those of the communicator: these classes and their lambdas. */
    private static final Set<String> OWN_CLASSES =
            Set.of(DomainOperations.class.getName(), FlightRecorder.class.getName(), Series.class.getName());

    private final Set<String> communicator;
    private final Predicate<Throwable> isRelease;
    private final Predicate<Throwable> isRefusal;
    private final AtomicReferenceArray<@Nullable Entry> ring = new AtomicReferenceArray<>(KEPT);
    private final AtomicLong next = new AtomicLong();

    /**
     * @param communicator the names of the classes whose frames stand between this one and the user's line
     * @param isRelease whether another rank ended the operation that failed in this way
     * @param isRefusal whether the operation that failed in this way has not begun
     */
    @API(status = INTERNAL, since = "0.1")
    public FlightRecorder(Set<String> communicator, Predicate<Throwable> isRelease, Predicate<Throwable> isRefusal) {
        this.communicator = communicator;
        this.isRelease = isRelease;
        this.isRefusal = isRefusal;
    }

    /** The operations of one kind among the same ranks: operations with the same number belong together on all of these ranks. */
    @API(status = INTERNAL, since = "0.1")
    public static final class Series {

        final Kind kind;
        final List<Integer> peers;
        final int domain;
        private final AtomicLong number = new AtomicLong();

        /** @param peers the ranks it is done with; empty for all */
        public Series(Kind kind, List<Integer> peers, int domain) {
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

        RecordedOperation read(Predicate<String> isOwn) {
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
                    callersOf(stack, isOwn));
        }

        /** The frames above the caller are the communicator's own. */
        private static List<StackTraceElement> callersOf(StackTraceElement[] stack, Predicate<String> isOwn) {
            int own = 0;
            while (own < stack.length && isOwn.test(stack[own].getClassName())) {
                own++;
            }
            return List.of(stack).subList(own, stack.length);
        }
    }

    private boolean isOwn(String type) {
        return OWN_CLASSES.contains(type)
                || communicator.contains(type)
                || type.startsWith("org.rankunit.comm.jna.")
                || type.startsWith("com.sun.jna.");
    }

    /** Run and record an operation that ends at the communicator's time-out at the latest. */
    @API(status = INTERNAL, since = "0.1")
    public void record(Series series, long bytes, Runnable operation) {
        record(series, bytes, false, operation);
    }

    /**
     * Run and record an operation.
     *
     * @param limited whether the caller set a deadline for it
     */
    @API(status = INTERNAL, since = "0.1")
    public void record(Series series, long bytes, boolean limited, Runnable operation) {
        Entry entry = new Entry(series, series.number.incrementAndGet(), bytes, limited);
        int slot = (int) (next.getAndIncrement() % KEPT);
        ring.set(slot, entry);
        try {
            operation.run();
            entry.end(State.DONE, new StackTraceElement[0]);
        } catch (RuntimeException | Error e) {
            if (isRefusal.test(e)) {
                // It never was: this rank's operations keep the numbers that its peers count.
                series.number.decrementAndGet();
                ring.compareAndSet(slot, entry, null);
            }
            entry.end(isRelease.test(e) ? State.RELEASED : State.FAILED, e.getStackTrace());
            throw e;
        }
    }

    /** Get the recorded operations, the oldest first. */
    public List<RecordedOperation> operations() {
        List<RecordedOperation> operations = new ArrayList<>();
        long end = next.get();
        for (long i = Math.max(0, end - KEPT); i < end; i++) {
            Entry entry = ring.get((int) (i % KEPT));
            if (entry != null) {
                operations.add(entry.read(this::isOwn));
            }
        }
        return operations;
    }
}
