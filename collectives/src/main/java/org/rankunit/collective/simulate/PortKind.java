package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What carries transfers.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum PortKind {
    /** Ports of ranks that send; those that are not duplex receive too. */
    SENDING("sending ports"),
    /** Ports of ranks that receive. */
    RECEIVING("receiving ports"),
    /** What the ranks of a group share when they send out of it. */
    UPLINK("uplink"),
    /** What the ranks of a group share when they receive from outside. */
    DOWNLINK("downlink");

    private final String text;

    PortKind(String text) {
        this.text = text;
    }

    /** Returns {@code "uplink"}. */
    @Override
    public String toString() {
        return text;
    }
}
