package org.rankunit.engine.config.files;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names that nobody else has, and tokens that nobody can guess. */
public final class RandomHex {

    private RandomHex() {}

    /** Get random bytes in hexadecimal digits, two for each byte. */
    public static String of(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
