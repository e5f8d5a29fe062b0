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
 * The queue of one platform, shared by all processes: a file of equally large slots, each free or holding the
 * {@link Ticket} of one waiting request.
 *
 * <p>The owner of a ticket holds an OS lock on the first byte of its slot. When a process dies, the kernel releases the
 * lock, and the next process that reads the queue removes the ticket. If the file is removed or a ticket overwritten,
 * the ticket's owner puts it back with its old order. All methods except {@link #isEmpty} require the pool's mutex.
 */
final class QueueFile {

    /** A ticket of this JVM and its slot. */
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

    /** More requests than ever wait; what lies behind their slots was not written by a pool. */
    private static final int MAX_SLOTS = 1 << 16;

    private final Path path;
    private final PinnedFile file;
    private final Set<Place> mine = new LinkedHashSet<>();
    /** Unlike a channel, this does not close the file when a thread is interrupted during a read or write. */
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

    /** Whether no request waits, as far as can be seen without the mutex. */
    boolean isEmpty() {
        try {
            return Files.size(path) == 0;
        } catch (IOException absent) {
            return true;
        }
    }

    /**
     * Join the end of the queue.
     *
     * @param ticket the ticket; its order is ignored
     * @param order lower bound of the ticket's order
     */
    Place join(Ticket ticket, long order) throws IOException {
        List<Ticket> all = tickets();
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).order();
        Place place = new Place(ticket.at(Math.max(last + 1, order)));
        try {
            put(place, read());
        } catch (IOException e) {
            // A partial ticket may have been written, for example on a full disk.
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

    /** Update the time stamp of all tickets of this JVM. */
    void stamp(long now) throws IOException {
        byte[] content = read();
        for (Place place : mine) {
            if (holds(content, place)) {
                place.ticket = place.ticket.seenAt(now);
                write(place);
            }
        }
    }

    /**
     * All waiting requests in order of arrival. Removes tickets of dead processes, and restores missing tickets of this
     * JVM.
     */
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

    /** Write a ticket into the first slot that is free and not locked by another process. */
    private void put(Place place, byte[] content) throws IOException {
        unlock(place);
        for (int slot = 0; place.lock == null; slot++) {
            if (slot == MAX_SLOTS) {
                throw new IOException("all of its " + MAX_SLOTS + " places are taken");
            }
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

    /** Truncate the file after the last ticket; returns how many slots are left. */
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
        int slots = (int) Math.min(from.length() / Ticket.SIZE, MAX_SLOTS);
        byte[] content = new byte[slots * Ticket.SIZE];
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

    /** The channel of the current file; if the file was replaced, this JVM holds no locks in it. */
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
