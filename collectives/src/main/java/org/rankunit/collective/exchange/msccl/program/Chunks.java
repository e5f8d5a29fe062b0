package org.rankunit.collective.exchange.msccl.program;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.BufferKind;

/**
 * Some chunks of a buffer.
 *
 * @param from the first one
 */
@API(status = INTERNAL, since = "0.1")
public record Chunks(BufferKind buffer, int from, int count) {

    public int end() {
        return from + count;
    }

    public boolean meets(Chunks other) {
        return buffer == other.buffer && from < other.end() && other.from < end();
    }

    /** The letter of a buffer in files. */
    public static String letter(BufferKind buffer) {
        return switch (buffer) {
            case INPUT -> "i";
            case OUTPUT -> "o";
            default -> "s";
        };
    }

    /** Returns {@code "o[4, 6)"}. */
    @Override
    public String toString() {
        return letter(buffer) + "[" + from + ", " + end() + ")";
    }
}
