package org.rankunit.collective.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.Signal;

/**
 * A notify of a rank: one between its own streams, or one of a link.
 *
 * @param owner the rank that waits for it
 * @param peer the rank at the other end of the link, which posts it; -1 for one between the owner's streams
 * @param code the number of a notify between streams; for a link, its number * 3 + that of the signal
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record NotifyName(int owner, int peer, int code) {

    private static final Signal[] SIGNALS = Signal.values();

    static int codeOf(int link, Signal signal) {
        return link * SIGNALS.length + signal.number();
    }

    /** Whether it is between streams of one rank. */
    public boolean isLocal() {
        return peer < 0;
    }

    /** The signal of a link. */
    public Signal signal() {
        return SIGNALS[code % SIGNALS.length];
    }

    /** The number of the link among those between the two ranks. */
    public int link() {
        return code / SIGNALS.length;
    }

    @Override
    public String toString() {
        if (isLocal()) {
            return "notify " + code + " of rank " + owner;
        }
        String number = link() == 0 ? "" : " on link " + link();
        return signal() + " from rank " + peer + " to rank " + owner + number;
    }
}
