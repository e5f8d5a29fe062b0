package org.rankunit.engine.config.files;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Unique names, and tokens that cannot be guessed. */
public final class RandomHex {

    private RandomHex() {}

    /** Get random bytes in hexadecimal digits, two for each byte. */
    public static String of(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
