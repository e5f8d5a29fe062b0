package org.rankunit.engine.rank.threads;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.rank.threads.boot.ThreadHook;

/**
 * Says in the record which thread has come to know what others did. A thread that acquires an object knows what each thread did
 * before it released that object.
 *
 * <p>Thread-safe. The JDK calls this from within its locks, so that nothing here may wait.
 */
final class RecordedOrder implements ThreadHook.Observer {

    /** The number of the thread that runs the tests. */
    private static final int HOST = 0;

    /** The record of this process. */
    interface Log {

        /** The number by which the record knows the calling thread. */
        int actor();

        /** Say that the calling thread knows what another did until then. */
        void acquire(int actor, long nanos);
    }

    /** A thread that a test has made, or the one that runs it. */
    static final class Participant {

        /** Of this thread's calls: what is done to record a meeting is none. */
        private boolean isBusy;

        private volatile int actor = HOST;

        /** Until when this thread knows what others did. */
        private final Map<Participant, Long> known = new HashMap<>();
    }

    /** The same object, whatever {@code equals} says. */
    private record Identity(Object object) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Identity that && (that.object == object || isSameText(that.object));
        }

        /** Some objects stand for many. */
        private boolean isSameText(Object other) {
            return object instanceof String text && text.equals(other);
        }

        @Override
        public int hashCode() {
            return object instanceof String text ? text.hashCode() : System.identityHashCode(object);
        }
    }

    private final Log log;
    private final ThreadLocal<@Nullable Participant> participants;

    /** Until when each thread has released what it did, by object. */
    private final Map<Identity, Map<Participant, Long>> released = new ConcurrentHashMap<>();

    private RecordedOrder(ThreadLocal<@Nullable Participant> participants, Log log) {
        this.participants = participants;
        this.log = log;
    }

    /** Be told from now on. Nothing may have used the hook before the JDK's classes can see it. */
    static RecordedOrder begin(ThreadLocal<@Nullable Participant> participants, Log log) {
        if (ThreadHook.class.getClassLoader() != null) {
            throw new IllegalStateException("the classes of the JDK do not see the hook");
        }
        RecordedOrder order = new RecordedOrder(participants, log);
        ThreadHook.observe(order);
        return order;
    }

    /** Forget all objects. */
    void forget() {
        released.clear();
    }

    @Override
    public void releases(Object object) {
        Participant self = begin();
        if (self != null) {
            try {
                if (self.actor == HOST) {
                    // Before the first test, every thread is taken for the host.
                    self.actor = log.actor();
                }
                released.computeIfAbsent(new Identity(object), each -> new ConcurrentHashMap<>())
                        .put(self, System.nanoTime());
            } finally {
                self.isBusy = false;
            }
        }
    }

    @Override
    public void acquires(Object object) {
        Participant self = begin();
        if (self != null) {
            try {
                released.getOrDefault(new Identity(object), Map.of()).forEach((other, nanos) -> {
                    if (other != self && known(self, other) < nanos) {
                        self.known.put(other, nanos);
                        log.acquire(other.actor, nanos);
                    }
                });
            } finally {
                self.isBusy = false;
            }
        }
    }

    private static long known(Participant self, Participant other) {
        return self.known.getOrDefault(other, Long.MIN_VALUE);
    }

    @Override
    public boolean isCalledByUser() {
        Participant self = begin();
        if (self == null) {
            return false;
        }
        try {
            return CallingClass.isUser();
        } finally {
            self.isBusy = false;
        }
    }

    private @Nullable Participant begin() {
        Participant self = participants.get();
        if (self == null || self.isBusy) {
            return null;
        }
        self.isBusy = true;
        return self;
    }
}
