package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/**
 * Zero-terminated text that native code has stored in an array.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class NativeText {

    /** Size of the buffer for a description, in bytes. */
    public static final int LONGEST = 2048;

    private NativeText() {}

    /** The text before the first 0. */
    public static String of(byte[] stored) {
        int length = 0;
        while (length < stored.length && stored[length] != 0) {
            length++;
        }
        return new String(stored, 0, length, StandardCharsets.UTF_8);
    }
}
