package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The arguments of a library's {@code comm_init}. Three forms are in use, and no symbol distinguishes them.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum CommInitForm {
    /** What the library's {@code comm_init_form} returns; a library without that function has {@link #STREAM}. */
    BY_LIBRARY(0),
    /** {@code (rank, nranks, stream, rootinfo_path)}. */
    STREAM(1),
    /** {@code (rank, nranks, device_id, rootinfo_path)}. */
    DEVICE(2),
    /** {@code (rank, nranks, rootinfo_path)}. */
    PLAIN(3);

    private final int code;

    CommInitForm(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
