package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What has gone wrong in a communicator.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum CommError {
    /** A backend's own code, which RankUnit does not know. */
    UNKNOWN(-1),
    INVALID_ARGUMENT(1),
    /** A call out of order, or two threads in one communicator. */
    INVALID_STATE(2),
    OUT_OF_MEMORY(3),
    /** A deadline has passed; the message names what was waited for and the ranks missing. */
    TIMEOUT(4),
    /** A rank has aborted the communicator, or gave up waiting for another one. */
    ABORTED(5),
    /** The process of a rank has ended while it was in the communicator. */
    PEER_DIED(6),
    /** A rank has closed its communicator while this one waits for it. */
    PEER_LEFT(7),
    /** The ranks were started with different settings; the message names both values. */
    MISMATCH(8),
    /** The operating system has refused something. */
    SYSTEM(9),
    /** The vendor's library has failed; the message has its code and what it means. */
    VENDOR(10),
    /** The backend cannot do that, or lacks the function. */
    NOT_SUPPORTED(11),
    /** There is no library for the platform on this machine. */
    NO_LIBRARY(-2),
    /** The backend has made no communicator; the message says why. */
    INIT_FAILED(-3);

    private final int code;

    CommError(int code) {
        this.code = code;
    }

    /** Codes from here on are the vendor's; see {@code COMM_VENDOR_ERROR} in {@code comm.h}. */
    static final int FIRST_OF_VENDOR = 100_000;

    static CommError of(int code) {
        if (code >= FIRST_OF_VENDOR) {
            return VENDOR;
        }
        for (CommError error : values()) {
            if (error.code == code && code > 0) {
                return error;
            }
        }
        return UNKNOWN;
    }
}
