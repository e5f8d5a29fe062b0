package org.rankunit.engine.group;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** A group could not be brought up; the message names the first rank that failed, or those that are missing. */
public final class BringUpException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Of a class that can be serialised, as every field of an exception. */
    private final HashSet<Integer> atFault;

    BringUpException(String message) {
        this(message, Set.of());
    }

    BringUpException(String message, Set<Integer> atFault) {
        super(message);
        this.atFault = new HashSet<>(atFault);
    }

    BringUpException(String message, Throwable cause) {
        super(message, cause);
        this.atFault = new HashSet<>();
    }

    /** The devices that told of a fault of their own. */
    public Set<Integer> atFault() {
        return Collections.unmodifiableSet(atFault);
    }
}
