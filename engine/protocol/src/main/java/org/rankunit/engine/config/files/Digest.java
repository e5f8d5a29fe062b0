package org.rankunit.engine.config.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;

/** A SHA-256 digest over parts. The length of each part belongs to it, so no two lists of parts look the same. */
public final class Digest {

    private final MessageDigest parts = sha256();

    /** Digest one file. */
    public static String of(Path file) throws IOException {
        return of(Files.readAllBytes(file));
    }

    /** Digest these bytes. */
    public static String of(byte[] content) {
        return HexFormat.of().formatHex(sha256().digest(content));
    }

    public Digest add(byte[] part) {
        parts.update((part.length + ":").getBytes(StandardCharsets.US_ASCII));
        parts.update(part);
        return this;
    }

    public Digest add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    /** Add a list, which differs from its elements as parts of their own. */
    public Digest add(Collection<String> list) {
        add(Integer.toString(list.size()));
        list.forEach(this::add);
        return this;
    }

    public String hex() {
        return HexFormat.of().formatHex(parts.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
