package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What went wrong in a communicator.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum CommError {
    /** A code of the backend that RankUnit does not know. */
    UNKNOWN(-1),
    INVALID_ARGUMENT(1),
    /** A call in the wrong order, or two threads in one communicator. */
    INVALID_STATE(2),
    OUT_OF_MEMORY(3),
    /** A deadline passed; the message names what was waited for, and the missing ranks. */
    TIMEOUT(4),
    /** A rank aborted the communicator, or gave up waiting for another rank. */
    ABORTED(5),
    /** The process of a rank ended while it was in the communicator. */
    PEER_DIED(6),
    /** A rank closed its communicator while this one was waiting for it. */
    PEER_LEFT(7),
    /** The ranks were started with different settings; the message names both values. */
    MISMATCH(8),
    /** The operating system refused a request. */
    SYSTEM(9),
    /** The vendor's library failed; the message gives its code and meaning. */
    VENDOR(10),
    /** The backend does not support this, or lacks the function. */
    NOT_SUPPORTED(11),
    /** No library for the platform exists on this machine. */
    NO_LIBRARY(-2),
    /** The backend created no communicator; the message says why. */
    INIT_FAILED(-3);

    private final int code;

    CommError(int code) {
        this.code = code;
    }

    /** This code and higher ones are the vendor's; see {@code COMM_VENDOR_ERROR} in {@code comm.h}. */
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
