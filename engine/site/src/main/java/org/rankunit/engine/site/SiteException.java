package org.rankunit.engine.site;

import org.jspecify.annotations.Nullable;

/** Ranks cannot be where the settings say; the message says why and, where that is known, what to do. */
public final class SiteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SiteException(String message) {
        super(message);
    }

    public SiteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
