package org.rankunit.engine.check.order;

import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A vector clock: for each chain, the largest index that is known to happen before something, 0 where nothing is known.
 *
 * <p>A clock is a tree of small arrays. Clocks share those in which they do not differ, and have none where they know
 * nothing, so that a clock takes memory for what is new in it, however many chains there are. Immutable.
 */
final class Clock {

    static final Clock NONE = new Clock(null, 0);

    private static final int BITS = 4;
    private static final int WIDTH = 1 << BITS;

    /** What an array takes, in bytes: its entries are integers or compressed references. */
    private static final int BYTES_OF_ARRAY = 16 + WIDTH * Integer.BYTES;

    /** An {@code int[]} of indices at height 0, else an {@code Object[]} of arrays one lower; {@code null} if all are 0. */
    private final @Nullable Object root;

    private final int height;

    private Clock(@Nullable Object root, int height) {
        this.root = root;
        this.height = height;
    }

    int at(int chain) {
        if (!isWithin(chain, height)) {
            return 0;
        }
        Object part = root;
        for (int level = height; part != null && level > 0; level--) {
            part = ((Object[]) part)[place(chain, level)];
        }
        return part == null ? 0 : ((int[]) part)[place(chain, 0)];
    }

    private static boolean isWithin(int chain, int height) {
        return ((long) chain >> (BITS * (height + 1))) == 0;
    }

    private static int place(int chain, int level) {
        return (chain >> (BITS * level)) & (WIDTH - 1);
    }

    /** The next chain, from this one on, of which anything is known; -1 if there is none. */
    int nextKnown(int from) {
        return isWithin(from, height) ? nextKnown(root, height, from) : -1;
    }

    private static int nextKnown(@Nullable Object part, int level, int from) {
        if (part == null) {
            return -1;
        }
        int begin = place(from, level);
        int before = (int) (((long) from >> (BITS * (level + 1))) << (BITS * (level + 1)));
        for (int i = begin; i < WIDTH; i++) {
            int first = before + (i << (BITS * level));
            if (level == 0 && ((int[]) part)[i] != 0) {
                return first;
            } else if (level > 0) {
                int found = nextKnown(((Object[]) part)[i], level - 1, i == begin ? from : first);
                if (found >= 0) {
                    return found;
                }
            }
        }
        return -1;
    }

    /** This clock with at least this index of a chain; this clock itself if it has it already. */
    Clock raised(int chain, int index, Memory memory) {
        if (at(chain) >= index) {
            return this;
        }
        int needed = height;
        while (!isWithin(chain, needed)) {
            needed++;
        }
        return new Clock(raised(lifted(root, height, needed, memory), needed, chain, index, memory), needed);
    }

    private static Object raised(@Nullable Object part, int level, int chain, int index, Memory memory) {
        memory.take(BYTES_OF_ARRAY);
        int place = place(chain, level);
        if (level == 0) {
            int[] indices = part == null ? new int[WIDTH] : ((int[]) part).clone();
            indices[place] = index;
            return indices;
        }
        Object[] parts = part == null ? new Object[WIDTH] : ((Object[]) part).clone();
        parts[place] = raised(parts[place], level - 1, chain, index, memory);
        return parts;
    }

    private static @Nullable Object lifted(@Nullable Object part, int from, int to, Memory memory) {
        Object lifted = part;
        for (int level = from; level < to && lifted != null; level++) {
            memory.take(BYTES_OF_ARRAY);
            Object[] parts = new Object[WIDTH];
            parts[0] = lifted;
            lifted = parts;
        }
        return lifted;
    }

    /** The larger indices of two clocks; this clock itself if the other one adds nothing to it. */
    Clock joined(Clock other, Memory memory) {
        int level = Math.max(height, other.height);
        Object mine = lifted(root, height, level, memory);
        Object theirs = lifted(other.root, other.height, level, memory);
        Object joined = joined(mine, theirs, level, memory);
        return joined == mine && level == height
                ? this
                : joined == theirs && level == other.height ? other : new Clock(joined, level);
    }

    private static @Nullable Object joined(@Nullable Object a, @Nullable Object b, int level, Memory memory) {
        if (a == b || b == null) {
            return a;
        } else if (a == null) {
            return b;
        }
        return level == 0 ? larger((int[]) a, (int[]) b, memory) : joined((Object[]) a, (Object[]) b, level, memory);
    }

    private static Object joined(Object[] a, Object[] b, int level, Memory memory) {
        Object[] joined = a;
        boolean isSecond = true;
        for (int i = 0; i < WIDTH; i++) {
            Object part = joined(a[i], b[i], level - 1, memory);
            if (part != a[i]) {
                joined = joined == a ? a.clone() : joined;
                joined[i] = part;
            }
            isSecond &= part == b[i];
        }
        return kept(a, b, joined, isSecond, memory);
    }

    private static Object larger(int[] a, int[] b, Memory memory) {
        int[] larger = a;
        boolean isSecond = true;
        for (int i = 0; i < WIDTH; i++) {
            if (b[i] > a[i]) {
                larger = larger == a ? a.clone() : larger;
                larger[i] = b[i];
            }
            isSecond &= b[i] >= a[i];
        }
        return kept(a, b, larger, isSecond, memory);
    }

    private static Object kept(Object a, Object b, Object joined, boolean isSecond, Memory memory) {
        if (joined == a || isSecond) {
            return joined == a ? a : b;
        }
        memory.take(BYTES_OF_ARRAY);
        return joined;
    }

    /** What two clocks have in common: the smaller indices. */
    Clock common(Clock other) {
        return root == other.root ? this : Objects.requireNonNull(reached(List.of(this, other), new long[] {1, 1}, 1));
    }

    /**
     * What is known whichever of some clocks come, as soon as those that have come are worth enough together.
     *
     * @param values what each is worth, more than 0
     * @param worth more than 0
     * @return for each chain, the index up to which clocks that are worth enough cannot do without; {@code null} if all
     *     together are worth less
     */
    static @Nullable Clock reached(List<Clock> clocks, long[] values, long worth) {
        if (Arrays.stream(values).sum() < worth) {
            return null;
        }
        int level = clocks.stream().mapToInt(clock -> clock.height).max().orElse(0);
        Memory memory = Memory.unlimited();
        Object[] parts = clocks.stream()
                .map(clock -> lifted(clock.root, clock.height, level, memory))
                .toArray();
        return lowest(reached(parts, values, worth, level), level);
    }

    private static @Nullable Object reached(@Nullable Object[] parts, long[] values, long worth, int level) {
        IdentityHashMap<Object, Long> distinct = new IdentityHashMap<>();
        long unknown = 0;
        for (int i = 0; i < parts.length; i++) {
            Object part = parts[i];
            if (part == null) {
                unknown += values[i];
            } else {
                distinct.merge(part, values[i], Long::sum);
            }
        }
        if (unknown >= worth) {
            return null;
        } else if (distinct.size() == 1) {
            return distinct.keySet().iterator().next();
        }
        Object[] known = distinct.keySet().toArray();
        long[] weights = distinct.values().stream().mapToLong(Long::longValue).toArray();
        return level == 0 ? indices(known, weights, worth - unknown) : parts(known, weights, worth - unknown, level);
    }

    private static @Nullable Object parts(Object[] known, long[] values, long worth, int level) {
        Object[] reached = new Object[WIDTH];
        boolean isEmpty = true;
        for (int i = 0; i < WIDTH; i++) {
            int place = i;
            Object[] parts =
                    Arrays.stream(known).map(part -> ((Object[]) part)[place]).toArray();
            reached[i] = reached(parts, values, worth, level - 1);
            isEmpty &= reached[i] == null;
        }
        return isEmpty ? null : reached;
    }

    private static @Nullable Object indices(Object[] known, long[] values, long worth) {
        int[] reached = new int[WIDTH];
        boolean isEmpty = true;
        for (int i = 0; i < WIDTH; i++) {
            int place = i;
            int[] byIndex = IntStream.range(0, known.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(k -> ((int[]) known[k])[place]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            long missing = worth;
            for (int k = 0; missing > 0; k++) {
                missing -= values[byIndex[k]];
                reached[i] = ((int[]) known[byIndex[k]])[i];
            }
            isEmpty &= reached[i] == 0;
        }
        return isEmpty ? null : reached;
    }

    /** Without arrays above the others in which only the first one is there. */
    private static Clock lowest(@Nullable Object root, int height) {
        Object lowest = root;
        int level = height;
        while (level > 0 && (lowest == null || isOnlyFirst((Object[]) lowest))) {
            lowest = lowest == null ? null : ((Object[]) lowest)[0];
            level--;
        }
        return lowest == null ? NONE : new Clock(lowest, level);
    }

    private static boolean isOnlyFirst(Object[] parts) {
        return Arrays.stream(parts).skip(1).allMatch(Objects::isNull);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Clock clock && clock.height == height && areEqual(root, clock.root, height);
    }

    private static boolean areEqual(@Nullable Object a, @Nullable Object b, int level) {
        if (a == b || a == null || b == null) {
            return a == b;
        } else if (level == 0) {
            return Arrays.equals((int[]) a, (int[]) b);
        }
        for (int i = 0; i < WIDTH; i++) {
            if (!areEqual(((Object[]) a)[i], ((Object[]) b)[i], level - 1)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Objects.hash(height, at(0)); // not used as a key
    }

    /** Counts what clocks take of the memory of this JVM. Not thread-safe. */
    static final class Memory {

        private final long most;
        private long taken;

        private Memory(long most) {
            this.most = most;
        }

        static Memory of(long most) {
            return new Memory(most);
        }

        /** A quarter of what this JVM may have. */
        static Memory quarter() {
            return new Memory(Runtime.getRuntime().maxMemory() / 4);
        }

        static Memory unlimited() {
            return new Memory(Long.MAX_VALUE);
        }

        private void take(long bytes) {
            taken += bytes;
            if (taken > most) {
                throw new IllegalStateException("the order of the events takes more than " + (most >> 20)
                        + " MiB, a quarter of the memory of this JVM; give it more (-Xmx)");
            }
        }
    }
}
