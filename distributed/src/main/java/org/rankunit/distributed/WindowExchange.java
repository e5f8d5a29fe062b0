package org.rankunit.distributed;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.Domain;
import org.rankunit.distributed.pe.run.SipExchange;

/**
 * Exchanges bytes through windows of a communicator's ranks, each of which is one SIP: every rank writes to its own window and reads
 * those of the others, in as many rounds as the longest message needs. Waits end after the communicator's time-out, or when a rank fails.
 */
final class WindowExchange implements SipExchange {

    private static final int HEADER_BYTES = Integer.BYTES;

    /** Of the message in one round. */
    private static final int ROUND_BYTES = (256 << 10) - HEADER_BYTES;

    private final Domain domain;

    WindowExchange(Communicator communicator) {
        int[] ranks = IntStream.range(0, communicator.worldSize()).toArray();
        this.domain = communicator.domain(HEADER_BYTES + ROUND_BYTES, ranks);
    }

    @Override
    public int sip() {
        return domain.rank();
    }

    /** The header says how many bytes are left, those of this round included. */
    @Override
    public List<byte[]> allGather(byte[] own) {
        List<ByteArrayOutputStream> all = new ArrayList<>();
        for (int rank = 0; rank < domain.worldSize(); rank++) {
            all.add(new ByteArrayOutputStream());
        }
        int longest;
        int done = 0;
        do {
            give(own, done);
            domain.barrier();
            longest = 0;
            for (int rank = 0; rank < all.size(); rank++) {
                longest = Math.max(longest, take(rank, all.get(rank)));
            }
            domain.barrier();
            done += ROUND_BYTES;
        } while (longest > ROUND_BYTES);
        return all.stream().map(ByteArrayOutputStream::toByteArray).toList();
    }

    private void give(byte[] own, int done) {
        int left = Math.max(0, own.length - done);
        domain.window(sip()).putInt(0, left);
        if (left > 0) {
            byte[] part = new byte[Math.min(left, ROUND_BYTES)];
            System.arraycopy(own, done, part, 0, part.length);
            domain.window(sip()).put(HEADER_BYTES, part);
        }
    }

    /** Returns how many bytes were left in this round. */
    private int take(int rank, ByteArrayOutputStream target) {
        int left = domain.window(rank).getInt(0);
        if (left > 0) {
            byte[] part = new byte[Math.min(left, ROUND_BYTES)];
            domain.window(rank).get(HEADER_BYTES, part);
            target.writeBytes(part);
        }
        return left;
    }

    @Override
    public void close() {
        domain.close();
    }
}
