package org.rankunit.engine.rank.threads.boot;

import org.jspecify.annotations.Nullable;

/**
 * What is called where threads meet. It uses nothing but {@code java.lang}, since the JDK's own classes call it.
 *
 * <p>Thread-safe.
 */
public final class ThreadHook {

    private static volatile @Nullable Observer observer;

    private ThreadHook() {}

    /** Told of each object by which threads may be ordered. */
    public interface Observer {

        /** The calling thread lets others know what it did; called before they can. */
        void releases(Object object);

        /** The calling thread begins, and knows what others did before they started it. */
        void begins(Thread thread);

        /** The calling thread knows what others did before they released the object. */
        void acquires(Object object);

        /** The same of an object that counts only if a class of the user was the first to use it. */
        void releasesOfUser(Object object);

        /** The same of an object that counts only if a class of the user was the first to use it. */
        void acquiresOfUser(Object object);

        /** The same of one field of an object. */
        void releases(Object object, String field);

        /** The same of one field of an object. */
        void acquires(Object object, String field);
    }

    /** Notify a listener from now on. */
    public static void observe(Observer told) {
        observer = told;
    }

    /** Before the calling thread lets others know what it did. */
    public static void release(Object object) {
        Observer told = observer;
        if (told != null) {
            told.releases(object);
        }
    }

    /** After the calling thread knows what others did. */
    public static void acquire(Object object) {
        Observer told = observer;
        if (told != null) {
            told.acquires(object);
        }
    }

    /** The same for an object that libraries use all the time for themselves. */
    public static void releaseOfUser(Object object) {
        Observer told = observer;
        if (told != null) {
            told.releasesOfUser(object);
        }
    }

    /** The same for an object that libraries use all the time for themselves. */
    public static void acquireOfUser(Object object) {
        Observer told = observer;
        if (told != null) {
            told.acquiresOfUser(object);
        }
    }

    /** Before the calling thread writes a volatile field. */
    public static void release(Object object, String field) {
        Observer told = observer;
        if (told != null) {
            told.releases(object, field);
        }
    }

    /** After the calling thread has read a volatile field. */
    public static void acquire(Object object, String field) {
        Observer told = observer;
        if (told != null) {
            told.acquires(object, field);
        }
    }

    /** In place of {@link Thread#isAlive()}. */
    public static boolean isAlive(Thread thread) {
        boolean alive = thread.isAlive();
        acquire(thread);
        return alive;
    }

    /** At the start of {@code run()}, which any code may call. */
    public static void begin(Object runnable) {
        Observer told = observer;
        if (told != null && runnable == Thread.currentThread()) {
            told.begins((Thread) runnable);
        }
    }

    /** After the calling thread was parked. */
    public static void unparked() {
        acquire(Thread.currentThread());
    }

    /** In place of {@link Object#wait()}. */
    public static void await(Object object) throws InterruptedException {
        await(object, 0);
    }

    /** In place of {@link Object#wait(long)}. The caller looks at its condition again. */
    @SuppressWarnings({"WaitNotInLoop", "NotifyWait"})
    public static void await(Object object, long millis) throws InterruptedException {
        release(object);
        try {
            object.wait(millis);
        } finally {
            acquire(object);
        }
    }

    /** In place of {@link Object#wait(long, int)}. The caller looks at its condition again. */
    @SuppressWarnings({"WaitNotInLoop", "NotifyWait"})
    public static void await(Object object, long millis, int nanos) throws InterruptedException {
        release(object);
        try {
            object.wait(millis, nanos);
        } finally {
            acquire(object);
        }
    }
}
