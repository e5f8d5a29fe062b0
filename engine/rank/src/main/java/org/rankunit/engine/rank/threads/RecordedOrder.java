package org.rankunit.engine.rank.threads;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.rank.threads.boot.ThreadHook;

/**
 * Says in the record which thread has come to know what others did. A thread that acquires an object knows what each thread did
 * before it released that object, and what that one knew of others then.
 *
 * <p>Thread-safe. The JDK calls this from within its locks, so that nothing here may wait.
 */
final class RecordedOrder implements ThreadHook.Observer {

    /** The record of this process. */
    interface Log {

        /**
         * How many events the calling thread has recorded.
         *
         * @param actor gets the number by which the record knows the thread
         */
        long events(int[] actor);

        /** Say that the calling thread knows what another did until then. */
        void acquire(int actor, long nanos);
    }

    /** A thread that a test has made, or the one that runs it. */
    static final class Participant {

        /** Of this thread's calls: what is done to record a meeting is none. */
        private boolean isBusy;

        private final int[] actorOut = new int[1];
        private volatile int actor;
        private long events;

        /** When this thread first released an object after its last event. */
        private long until;

        /** Until when this thread knows what others did, as far as they have recorded anything. */
        private final Map<Participant, Long> known = new HashMap<>();
    }

    private final Log log;
    private final ThreadLocal<@Nullable Participant> participants;

    /** Until when who acquires an object knows what others did. */
    private final ObjectMap<Map<Participant, Long>> released = new ObjectMap<>();

    /** Of objects that libraries have as well: whether a class of the user was the first to use them. */
    private final ObjectMap<Boolean> ofUser = new ObjectMap<>();

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
        // Loads classes, which must not happen while a hook is at work: class loaders use what hooks are in.
        order.released.put("", "", new ConcurrentHashMap<>()).clear();
        order.ofUser.put("", "", CallingClass.isUser());
        ThreadHook.observe(order);
        return order;
    }

    @Override
    public void releases(Object object) {
        releases(object, "");
    }

    @Override
    public void begins(Thread thread) {
        if (participants.get() == null && released.get(thread, "") != null) {
            // It has not inherited anything, but was started by a thread that counts.
            participants.set(new Participant());
        }
        acquires(thread, "");
    }

    @Override
    public void acquires(Object object) {
        acquires(object, "");
    }

    @Override
    public void releases(Object object, String field) {
        Participant self = begin();
        if (self != null) {
            try {
                release(self, object, field);
            } finally {
                self.isBusy = false;
            }
        }
    }

    @Override
    public void acquires(Object object, String field) {
        Participant self = begin();
        if (self != null) {
            try {
                acquire(self, object, field);
            } finally {
                self.isBusy = false;
            }
        }
    }

    @Override
    public void releasesOfUser(Object object) {
        Participant self = begin();
        if (self != null) {
            try {
                if (isOfUser(object)) {
                    release(self, object, "");
                }
            } finally {
                self.isBusy = false;
            }
        }
    }

    @Override
    public void acquiresOfUser(Object object) {
        Participant self = begin();
        if (self != null) {
            try {
                if (isOfUser(object)) {
                    acquire(self, object, "");
                }
            } finally {
                self.isBusy = false;
            }
        }
    }

    /** Without a lambda: to link one, the JDK uses objects by which threads meet. */
    private @Nullable Participant begin() {
        Participant self = participants.get();
        if (self == null || self.isBusy) {
            return null;
        }
        self.isBusy = true;
        return self;
    }

    private boolean isOfUser(Object object) {
        Boolean known = ofUser.get(object, "");
        if (known == null) {
            known = CallingClass.isUser();
            ofUser.put(object, "", known);
        }
        return known;
    }

    /** Threads that record nothing take no room here, however often they meet. */
    private void release(Participant self, Object object, String field) {
        long events = log.events(self.actorOut);
        if (events != self.events) {
            self.actor = self.actorOut[0];
            self.events = events;
            self.until = System.nanoTime();
        }
        if (events == 0 && self.known.isEmpty()) {
            return;
        }
        Map<Participant, Long> known = released.get(object, field);
        if (known == null) {
            known = released.put(object, field, new ConcurrentHashMap<>());
        }
        if (events > 0) {
            known.put(self, self.until);
        }
        for (Map.Entry<Participant, Long> each : self.known.entrySet()) {
            Long before = known.get(each.getKey());
            if (before == null || before < each.getValue()) {
                known.merge(each.getKey(), each.getValue(), Math::max);
            }
        }
    }

    private void acquire(Participant self, Object object, String field) {
        Map<Participant, Long> byThread = released.get(object, field);
        if (byThread == null) {
            return;
        }
        for (Map.Entry<Participant, Long> each : byThread.entrySet()) {
            Participant other = each.getKey();
            long nanos = each.getValue();
            if (other != self && self.known.getOrDefault(other, Long.MIN_VALUE) < nanos) {
                self.known.put(other, nanos);
                log.acquire(other.actor, nanos);
            }
        }
    }
}
