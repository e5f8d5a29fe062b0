package org.rankunit.coll.verify.memory;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.coll.verify.order.Epoch;
import org.rankunit.coll.verify.order.Knowledge;

/**
 * A buffer of a rank whose bytes hold expressions. It is divided into parts of equal history; each part knows who wrote it last, and
 * who has read it since, or reduced each of its elements at once. Accesses are packed as {@link Epoch}s.
 */
@API(status = INTERNAL, since = "0.1")
public final class SymbolicBuffer {

    private final long bytes;
    private int size = 1;
    private long[] starts = new long[] {0};
    private int[] expressions;
    /** What is added to the position in this buffer to get that of the expression. */
    private long[] shifts = new long[] {0};

    private long[] writers = new long[] {Epoch.NONE};
    private long[] readers = new long[] {Epoch.NONE};
    private final RareLists moreReaders = new RareLists();
    /** Who has reduced elements at once since the last write. */
    private final RareLists reducers = new RareLists();

    public SymbolicBuffer(long bytes, int expression) {
        this.bytes = bytes;
        this.expressions = new int[] {expression};
    }

    /** Make a buffer that begins as parts of equal size; 0 if there are no bytes. */
    public static SymbolicBuffer inParts(long bytes, long partBytes, int expression) {
        SymbolicBuffer buffer = new SymbolicBuffer(bytes, expression);
        int parts = partBytes == 0 ? 1 : Math.toIntExact(bytes / partBytes);
        buffer.makeRoom(1, parts - 1);
        for (int part = 1; part < parts; part++) {
            buffer.starts[part] = part * partBytes;
            buffer.copyState(0, part);
        }
        return buffer;
    }

    public long bytes() {
        return bytes;
    }

    public int parts() {
        return size;
    }

    public long start(int part) {
        return starts[part];
    }

    public long end(int part) {
        return part + 1 < size ? starts[part + 1] : bytes;
    }

    public int expression(int part) {
        return expressions[part];
    }

    public long shift(int part) {
        return shifts[part];
    }

    public long writer(int part) {
        return writers[part];
    }

    public long reader(int part) {
        return readers[part];
    }

    public long @Nullable [] moreReaders(int part) {
        return moreReaders.of(part);
    }

    /** Who has reduced elements of the part at once, after all that the later ones of them have seen. */
    public long @Nullable [] reducers(int part) {
        return reducers.of(part);
    }

    /** Get the part that contains a byte. */
    public int partAt(long position) {
        int found = Arrays.binarySearch(starts, 0, size, position);
        return found >= 0 ? found : -found - 2;
    }

    /** Make a part begin at this byte; returns which one. The end of the buffer is no part. */
    public int split(long position) {
        if (position == bytes) {
            return size;
        }
        int found = Arrays.binarySearch(starts, 0, size, position);
        if (found >= 0) {
            return found;
        }
        int part = -found - 1;
        makeRoom(part, 1);
        starts[part] = position;
        copyState(part - 1, part);
        return part;
    }

    /** Make a part begin at this byte, which is behind the beginning of a part: most accesses are of one part. */
    public int split(long position, int part) {
        return part + 1 < size && starts[part + 1] == position ? part + 1 : split(position);
    }

    private void copyState(int from, int to) {
        expressions[to] = expressions[from];
        shifts[to] = shifts[from];
        writers[to] = writers[from];
        readers[to] = readers[from];
        moreReaders.copy(from, to);
        reducers.copy(from, to);
    }

    /** Move the parts from this one on; fewer than 0 removes parts. */
    private void makeRoom(int part, int more) {
        if (more == 0) {
            return;
        }
        int needed = size + more;
        if (needed > starts.length) {
            int length = Math.max(needed, 2 * starts.length);
            starts = Arrays.copyOf(starts, length);
            expressions = Arrays.copyOf(expressions, length);
            shifts = Arrays.copyOf(shifts, length);
            writers = Arrays.copyOf(writers, length);
            readers = Arrays.copyOf(readers, length);
            moreReaders.makeRoom(length);
            reducers.makeRoom(length);
        }
        int from = more < 0 ? part - more : part;
        int to = more < 0 ? part : part + more;
        int moved = size - from;
        System.arraycopy(starts, from, starts, to, moved);
        System.arraycopy(expressions, from, expressions, to, moved);
        System.arraycopy(shifts, from, shifts, to, moved);
        System.arraycopy(writers, from, writers, to, moved);
        System.arraycopy(readers, from, readers, to, moved);
        moreReaders.move(from, to, moved);
        reducers.move(from, to, moved);
        size = needed;
    }

    /** A task has read this part. */
    public void addReader(int part, long epoch, Knowledge known) {
        if (known.hasSeen(readers[part])) {
            readers[part] = epoch;
            return;
        }
        long[] more = moreReaders.of(part);
        for (int i = 0; more != null && i < more.length; i++) {
            if (known.hasSeen(more[i])) {
                more = more.clone();
                more[i] = epoch;
                moreReaders.set(part, more, starts.length);
                return;
            }
        }
        moreReaders.set(part, appended(more, epoch), starts.length);
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
        expressions[part] = expression;
        shifts[part] = shift;
        writers[part] = epoch;
        readers[part] = Epoch.NONE;
        moreReaders.clear(part);
        reducers.clear(part);
    }

    /** A task has reduced this part, each element at once, so that others may do the same in any order. */
    public void reduceAtOnce(int part, int expression, long shift, long epoch, Knowledge known) {
        expressions[part] = expression;
        shifts[part] = shift;
        long[] unseen = reducers.of(part);
        if (unseen != null) {
            unseen = Arrays.stream(unseen).filter(each -> !known.hasSeen(each)).toArray();
        }
        reducers.set(part, appended(unseen, epoch), starts.length);
    }

    /** Replace parts by others that a task has written. */
    public void replace(int from, int to, Pieces pieces, long start, long epoch) {
        makeRoom(from, pieces.size() - (to - from));
        for (int i = 0; i < pieces.size(); i++) {
            starts[from + i] = start + pieces.offset(i);
            write(from + i, pieces.expression(i), pieces.shift(i) - start, epoch);
        }
    }
}
