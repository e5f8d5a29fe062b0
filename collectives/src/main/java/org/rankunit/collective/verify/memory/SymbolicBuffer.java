package org.rankunit.collective.verify.memory;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.verify.order.Epoch;
import org.rankunit.collective.verify.order.Knowledge;

/**
 * A buffer of a rank whose bytes hold expressions. It is divided into parts of equal history; each part knows who wrote it last, and
 * who has read it since, or reduced each of its elements at once. Accesses are packed as {@link Epoch}s.
 */
@API(status = INTERNAL, since = "0.1")
public final class SymbolicBuffer {

    /** Words of a part, which lie side by side: all are needed at once, and those of the buffers of all ranks fill no cache. */
    private static final int WORDS = 5;

    private static final int START = 0;
    private static final int EXPRESSION = 1;
    /** What is added to the position in this buffer to get that of the expression. */
    private static final int SHIFT = 2;

    private static final int WRITER = 3;
    private static final int READER = 4;

    private final long bytes;
    private int size = 1;
    private long[] words = new long[WORDS];
    private final RareLists moreReaders = new RareLists();
    /** Who has reduced elements at once since the last write. */
    private final RareLists reducers = new RareLists();

    public SymbolicBuffer(long bytes, int expression) {
        this.bytes = bytes;
        write(0, expression, 0, Epoch.NONE);
    }

    /** Make a buffer that begins as parts of equal size; 0 if there are no bytes. */
    public static SymbolicBuffer inParts(long bytes, long partBytes, int expression) {
        SymbolicBuffer buffer = new SymbolicBuffer(bytes, expression);
        int parts = partBytes == 0 ? 1 : Math.toIntExact(bytes / partBytes);
        buffer.makeRoom(1, parts - 1);
        for (int part = 1; part < parts; part++) {
            buffer.copyState(0, part);
            buffer.set(part, START, part * partBytes);
        }
        return buffer;
    }

    private long word(int part, int word) {
        return words[part * WORDS + word];
    }

    private void set(int part, int word, long value) {
        words[part * WORDS + word] = value;
    }

    /** For how many parts there is room. */
    private int room() {
        return words.length / WORDS;
    }

    public long bytes() {
        return bytes;
    }

    public int parts() {
        return size;
    }

    public long start(int part) {
        return word(part, START);
    }

    public long end(int part) {
        return part + 1 < size ? start(part + 1) : bytes;
    }

    public int expression(int part) {
        return (int) word(part, EXPRESSION);
    }

    public long shift(int part) {
        return word(part, SHIFT);
    }

    public long writer(int part) {
        return word(part, WRITER);
    }

    public long reader(int part) {
        return word(part, READER);
    }

    public long @Nullable [] moreReaders(int part) {
        return moreReaders.of(part);
    }

    /** Who has reduced elements of the part at once, after all that the later ones of them have seen. */
    public long @Nullable [] reducers(int part) {
        return reducers.of(part);
    }

    /** Get the part that contains a byte; the last one for the end of the buffer. */
    public int partAt(long position) {
        if (position >= bytes) {
            return size - 1;
        }
        // Where it is if all parts have the same size, as most have.
        int guess = Math.min(size - 1, (int) ((double) position / bytes * size));
        int low = 0;
        int high = size - 1;
        while (start(guess) != position) {
            if (start(guess) > position) {
                high = guess - 1;
            } else if (end(guess) > position) {
                return guess;
            } else {
                low = guess + 1;
            }
            guess = (low + high) >>> 1;
        }
        return guess;
    }

    /** Make a part begin at this byte; returns which one. The end of the buffer is no part. */
    public int split(long position) {
        if (position == bytes) {
            return size;
        }
        int found = partAt(position);
        if (start(found) == position) {
            return found;
        }
        int part = found + 1;
        makeRoom(part, 1);
        copyState(found, part);
        set(part, START, position);
        return part;
    }

    /** Make a part begin at this byte, which is behind the beginning of a part: most accesses are of one part. */
    public int split(long position, int part) {
        return part + 1 < size && start(part + 1) == position ? part + 1 : split(position);
    }

    private void copyState(int from, int to) {
        System.arraycopy(words, from * WORDS, words, to * WORDS, WORDS);
        moreReaders.copy(from, to);
        reducers.copy(from, to);
    }

    /** Move the parts from this one on; fewer than 0 removes parts. */
    private void makeRoom(int part, int more) {
        if (more == 0) {
            return;
        }
        int needed = size + more;
        if (needed > room()) {
            int room = Math.max(needed, 2 * room());
            words = Arrays.copyOf(words, Math.multiplyExact(room, WORDS));
            moreReaders.makeRoom(room);
            reducers.makeRoom(room);
        }
        int from = more < 0 ? part - more : part;
        int to = more < 0 ? part : part + more;
        int moved = size - from;
        System.arraycopy(words, from * WORDS, words, to * WORDS, moved * WORDS);
        moreReaders.move(from, to, moved);
        reducers.move(from, to, moved);
        size = needed;
    }

    /** A task has read this part. */
    public void addReader(int part, long epoch, Knowledge known) {
        if (known.hasSeen(reader(part))) {
            set(part, READER, epoch);
            return;
        }
        long[] more = moreReaders.of(part);
        for (int i = 0; more != null && i < more.length; i++) {
            if (known.hasSeen(more[i])) {
                more = more.clone();
                more[i] = epoch;
                moreReaders.set(part, more, room());
                return;
            }
        }
        moreReaders.set(part, appended(more, epoch), room());
    }

    private static long[] appended(long @Nullable [] list, long value) {
        if (list == null) {
            return new long[] {value};
        }
        long[] longer = Arrays.copyOf(list, list.length + 1);
        longer[list.length] = value;
        return longer;
    }

    /** A task has written this part. */
    public void write(int part, int expression, long shift, long epoch) {
        set(part, EXPRESSION, expression);
        set(part, SHIFT, shift);
        set(part, WRITER, epoch);
        set(part, READER, Epoch.NONE);
        moreReaders.clear(part);
        reducers.clear(part);
    }

    /** A task has reduced this part, each element at once, so that others may do the same in any order. */
    public void reduceAtOnce(int part, int expression, long shift, long epoch, Knowledge known) {
        set(part, EXPRESSION, expression);
        set(part, SHIFT, shift);
        long[] unseen = reducers.of(part);
        if (unseen != null) {
            unseen = Arrays.stream(unseen).filter(each -> !known.hasSeen(each)).toArray();
        }
        reducers.set(part, appended(unseen, epoch), room());
    }

    /** Replace parts by others that a task has written. */
    public void replace(int from, int to, Pieces pieces, long start, long epoch) {
        makeRoom(from, pieces.size() - (to - from));
        for (int i = 0; i < pieces.size(); i++) {
            set(from + i, START, start + pieces.offset(i));
            write(from + i, pieces.expression(i), pieces.shift(i) - start, epoch);
        }
    }
}
