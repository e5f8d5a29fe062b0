package org.rankunit.engine.control;

import java.io.IOException;

/** Thrown when a message cannot be put into bytes, or into too many. Nothing was sent, and the channel is as good as before. */
public final class UnsendableException extends IOException {

    private static final long serialVersionUID = 1L;

    UnsendableException(Record message, IOException cause) {
        super("cannot send " + message.getClass().getSimpleName() + ": " + cause.getMessage(), cause);
    }
}
