package org.rankunit.engine.protocol.wire;

import java.io.IOException;

/** Thrown when a message cannot be encoded, or is too large once encoded. Nothing was sent, and the channel can still be used. */
public final class UnsendableException extends IOException {

    private static final long serialVersionUID = 1L;

    UnsendableException(Record message, IOException cause) {
        super("cannot send " + message.getClass().getSimpleName() + ": " + cause.getMessage(), cause);
    }
}
