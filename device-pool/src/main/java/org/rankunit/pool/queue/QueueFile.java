package org.rankunit.pool.queue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.lock.PinnedFile;
import org.rankunit.pool.lock.Sharing;

/**
 * The queue of one platform, which all processes share: a file of equally large slots, each free or with the {@link Ticket} of
 * one request that waits.
 *
 * <p>Whoever has a ticket holds an OS lock on the first byte of its slot. So the ticket of a process that died, which the kernel
 * has freed, is known and taken away by whoever looks next. If the file is removed or a ticket overwritten, its owner puts it
 * back with its old order. For the holder of the pool's mutex, but for {@link #isEmpty}.
 */
final class QueueFile {

    /** A ticket of this JVM and where it lies. */
    static final class Place {
        private Ticket ticket;
        private int slot = -1;
        private @Nullable FileLock lock;

        private Place(Ticket ticket) {
            this.ticket = ticket;
        }

        Ticket ticket() {
            return ticket;
        }
    }

    private final Path path;
    private final PinnedFile file;
    private final Set<Place> mine = new LinkedHashSet<>();
    /** Reads and writes through it do not close the file when a thread is interrupted, as they would through a channel. */
    private @Nullable RandomAccessFile io;

    private @Nullable FileChannel locked;

    QueueFile(Path path, Sharing sharing) {
        this.path = path;
        this.file = new PinnedFile(path, sharing, this::open);
    }

    private FileChannel open(Path name) throws IOException {
        RandomAccessFile opened = new RandomAccessFile(name.toFile(), "rw");
        io = opened;
        return opened.getChannel();
    }

    /** Whether nobody at all waits, as far as can be seen without the mutex. */
    boolean isEmpty() {
        try {
            return Files.size(path) == 0;
        } catch (IOException absent) {
            return true;
        }
    }

    /**
     * Stand at the end of the queue.
     *
     * @param ticket of any order
     * @param order at least this
     */
    Place join(Ticket ticket, long order) throws IOException {
        List<Ticket> all = tickets();
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).order();
        Place place = new Place(ticket.at(Math.max(last + 1, order)));
        try {
            put(place, read());
        } catch (IOException e) {
            // Perhaps half a ticket was written, on a disk that is full.
            unlock(place);
            trim(read());
            throw e;
        }
        mine.add(place);
        return place;
    }

    /** Leave the queue. */
    void leave(Place place) throws IOException {
        mine.remove(place);
        byte[] content = read();
        if (holds(content, place)) {
            clear(content, place.slot);
        }
        unlock(place);
    }

    /** Say that all tickets of this JVM are looked after. */
    void stamp(long now) throws IOException {
        byte[] content = read();
        for (Place place : mine) {
            if (holds(content, place)) {
                place.ticket = place.ticket.seenAt(now);
                write(place);
            }
        }
    }

    /** All who wait, those who came first at the front; the dead are taken away, and what is missing of ours is put back. */
    List<Ticket> tickets() throws IOException {
        byte[] content = read();
        for (Place place : List.copyOf(mine)) {
            if (!holds(content, place)) {
                put(place, content);
                content = read();
            }
        }
        List<Ticket> tickets = new ArrayList<>();
        for (int slot = 0; slot < content.length / Ticket.SIZE; slot++) {
            Optional<Ticket> ticket = Ticket.decode(slotOf(content, slot));
            if (ticket.isPresent() && isAlive(slot)) {
                tickets.add(ticket.get());
            } else if (ticket.isPresent()) {
                clear(content, slot);
            }
        }
        tickets.sort(Comparator.comparingLong(Ticket::order));
        return tickets;
    }

    private boolean isMine(int slot) {
        return mine.stream().anyMatch(place -> place.slot == slot);
    }

    private boolean isAlive(int slot) throws IOException {
        if (isMine(slot)) {
            return true;
        }
        FileLock probe = lock(slot);
        if (probe == null) {
            return true;
        }
        probe.release();
        return false;
    }

    private static boolean holds(byte[] content, Place place) {
        FileLock lock = place.lock;
        return lock != null
                && lock.isValid()
                && (place.slot + 1) * Ticket.SIZE <= content.length
                && Arrays.equals(slotOf(content, place.slot), place.ticket.encode());
    }

    private static byte[] slotOf(byte[] content, int slot) {
        return Arrays.copyOfRange(content, slot * Ticket.SIZE, (slot + 1) * Ticket.SIZE);
    }

    /** Into the first slot that is free and that no other process keeps. */
    private void put(Place place, byte[] content) throws IOException {
        unlock(place);
        for (int slot = 0; place.lock == null; slot++) {
            boolean free = (slot + 1) * Ticket.SIZE > content.length
                    || Ticket.decode(slotOf(content, slot)).isEmpty();
            if (free && !isMine(slot)) {
                place.lock = lock(slot);
                place.slot = slot;
            }
        }
        write(place);
    }

    private @Nullable FileLock lock(int slot) throws IOException {
        try {
            return channel().tryLock((long) slot * Ticket.SIZE, 1, false);
        } catch (OverlappingFileLockException heldByAnotherCopyOfThisClass) {
            return null;
        }
    }

    private static void unlock(Place place) throws IOException {
        FileLock lock = place.lock;
        place.lock = null;
        place.slot = -1;
        if (lock != null && lock.isValid()) {
            lock.release();
        }
    }

    private void write(Place place) throws IOException {
        channel();
        RandomAccessFile to = opened();
        to.seek((long) place.slot * Ticket.SIZE);
        to.write(place.ticket.encode());
    }

    private void clear(byte[] content, int slot) throws IOException {
        Arrays.fill(content, slot * Ticket.SIZE, (slot + 1) * Ticket.SIZE, (byte) 0);
        if (slot < trim(content)) {
            RandomAccessFile to = opened();
            to.seek((long) slot * Ticket.SIZE);
            to.write(new byte[Ticket.SIZE]);
        }
    }

    /** Cut off what is behind the last ticket; tells how many slots are left. */
    private int trim(byte[] content) throws IOException {
        channel();
        int used = content.length / Ticket.SIZE;
        while (used > 0 && Ticket.decode(slotOf(content, used - 1)).isEmpty()) {
            used--;
        }
        if (opened().length() > (long) used * Ticket.SIZE) {
            opened().setLength((long) used * Ticket.SIZE);
        }
        return used;
    }

    private byte[] read() throws IOException {
        channel();
        RandomAccessFile from = opened();
        byte[] content = new byte[(int) (from.length() / Ticket.SIZE) * Ticket.SIZE];
        from.seek(0);
        from.readFully(content);
        return content;
    }

    private RandomAccessFile opened() {
        RandomAccessFile opened = io;
        if (opened == null) {
            throw new IllegalStateException(path + " is not open");
        }
        return opened;
    }

    /** The channel of the file as it is now; where it is another one than before, nothing of ours is locked in it. */
    private FileChannel channel() throws IOException {
        FileChannel current = null;
        for (int i = 0; current == null; i++) {
            if (i == 8) {
                throw new IOException("it was removed or replaced again and again");
            }
            current = file.current();
        }
        if (!current.equals(locked)) {
            locked = current;
            for (Place place : mine) {
                place.lock = null;
                place.slot = -1;
            }
        }
        return current;
    }
}
