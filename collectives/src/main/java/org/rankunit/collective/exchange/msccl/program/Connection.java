package org.rankunit.collective.exchange.msccl.program;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What goes from one rank to another over one channel.
 *
 * @param number among all connections, from 0
 * @param messages how many there are
 * @param widths of the slots: chunks of the largest message that waits in each. There are as many slots as messages may be under way; each
 *     has a link of its own.
 * @param firstLink number of the first link among those of the two ranks
 */
@API(status = INTERNAL, since = "0.1")
public record Connection(int number, int from, int to, int channel, int messages, List<Integer> widths, int firstLink) {

    public Connection {
        widths = List.copyOf(widths);
    }

    public int slots() {
        return widths.size();
    }

    /** Chunks of all slots before one; of all slots if it is the one after the last. */
    public int chunksBefore(int slot) {
        int chunks = 0;
        for (int each = 0; each < slot; each++) {
            chunks += widths.get(each);
        }
        return chunks;
    }
}
