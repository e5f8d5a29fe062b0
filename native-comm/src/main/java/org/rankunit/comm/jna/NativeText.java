package org.rankunit.comm.jna;

import java.nio.charset.StandardCharsets;

/** Zero-terminated text that native code has stored in an array. */
final class NativeText {

    /** Size of the buffer for a description, in bytes. */
    static final int LONGEST = 2048;

    private NativeText() {}

    static String of(byte[] stored) {
        int length = 0;
        while (length < stored.length && stored[length] != 0) {
            length++;
        }
        return new String(stored, 0, length, StandardCharsets.UTF_8);
    }
}
