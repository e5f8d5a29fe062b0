package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The signals that the two ends of a {@link Link} exchange, each by a notify of its own.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Signal {
    /** The other end may be read and written now. An exchange begins with it. */
    ACK(0),
    /** Data was written, or has been read. */
    DATA_SIGNAL(1),
    /** Written data has arrived; only between servers. */
    DATA_ACK(2);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /** A number of its own, from 0 without gaps. */
    public int number() {
        return number;
    }
}
