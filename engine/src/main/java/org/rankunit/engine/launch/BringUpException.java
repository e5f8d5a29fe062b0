package org.rankunit.engine.launch;

import java.util.Set;

/** A group could not be brought up; the message names the first rank that failed, or those that are missing. */
public final class BringUpException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Set<Integer> atFault;

    BringUpException(String message) {
        this(message, Set.of());
    }

    BringUpException(String message, Set<Integer> atFault) {
        super(message);
        this.atFault = Set.copyOf(atFault);
    }

    BringUpException(String message, Throwable cause) {
        super(message, cause);
        this.atFault = Set.of();
    }

    /** The devices that told of a fault of their own. */
    public Set<Integer> atFault() {
        return atFault;
    }
}
