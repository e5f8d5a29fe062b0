package org.rankunit.comm.jna;

import java.nio.charset.StandardCharsets;

/** Text that native code has stored in an array, with a 0 at its end. */
final class NativeText {

    /** Room for a description. */
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
