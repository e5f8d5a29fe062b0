package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * Zero-terminated text in an array, as native code stores it or reads it.
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

    /** The text for native code, for calls that are made so often that JNA's own conversion of strings matters. */
    public static byte[] of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
