package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * One end of a connection between two ranks. Links share no notifies: each end has one for each {@link Signal} of its medium.
 *
 * @param self the rank at this end
 * @param peer the rank at the other end
 * @param number of the link among those of these two ranks, from 0
 * @param memory of the other rank that the link reaches
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Link(int self, int peer, int number, Medium medium, LinkMemory memory) {

    /** Whether it leads to another server. */
    public LinkLevel level() {
        return medium == Medium.SDMA ? LinkLevel.INSIDE_SERVER : LinkLevel.BETWEEN_SERVERS;
    }

    /** Returns {@code "the link of rank 0 to rank 1"}. */
    @Override
    public String toString() {
        return "the link of rank " + self + " to rank " + peer + (number == 0 ? "" : " (number " + number + ")");
    }
}
