package org.rankunit.engine.rank.threads;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Values by the identity of an object and one of its parts, as long as the object lives. Texts count by what they say, and stay.
 *
 * <p>Thread-safe, and without locks that a caller may hold.
 */
final class ObjectMap<V> {

    private final ConcurrentHashMap<Key, V> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    /** What identifies an object and its part. */
    private interface Key {

        @Nullable Object object();

        String part();
    }

    private static boolean areEqual(Key a, @Nullable Object other) {
        if (!(other instanceof Key b) || !a.part().equals(b.part())) {
            return false;
        }
        Object object = a.object();
        return a == b
                || (object != null
                        && (object == b.object() || (object instanceof String && object.equals(b.object()))));
    }

    private static int hashOf(Object object, String part) {
        return 31 * part.hashCode() + (object instanceof String ? object.hashCode() : System.identityHashCode(object));
    }

    /** For looking it up. */
    private record Strong(Object object, String part) implements Key {

        @Override
        public boolean equals(@Nullable Object other) {
            return areEqual(this, other);
        }

        @Override
        public int hashCode() {
            return hashOf(object, part);
        }
    }

    /** What is kept. */
    private static final class Weak extends WeakReference<Object> implements Key {

        private final String part;
        private final int hash;

        Weak(Object object, String part, ReferenceQueue<Object> gone) {
            super(object, gone);
            this.part = part;
            this.hash = hashOf(object, part);
        }

        @Override
        public @Nullable Object object() {
            return get();
        }

        @Override
        public String part() {
            return part;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return areEqual(this, other);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    @Nullable V get(Object object, String part) {
        return values.get(new Strong(object, part));
    }

    /** Returns the value that was there, or this one. */
    V put(Object object, String part, V value) {
        for (Object key = gone.poll(); key != null; key = gone.poll()) {
            values.remove(key);
        }
        V before = values.putIfAbsent(
                object instanceof String ? new Strong(object, part) : new Weak(object, part, gone), value);
        return before == null ? value : before;
    }
}
