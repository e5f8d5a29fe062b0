package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * How much the link from one rank to another was used.
 *
 * @param from the rank that has sent, reads by the other one included
 * @param to the rank that has received
 * @param bytes that it has carried
 * @param busy seconds for which it was occupied, as a share of the whole time; above 1 if several ports carried it at a time
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record LinkUse(int from, int to, long bytes, double busy) {

    /** Returns {@code "rank 0 to rank 1: 4,096 bytes, 50.0 % busy"}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "rank %d to rank %d: %,d bytes, %.1f %% busy", from, to, bytes, busy * 100);
    }
}
