package org.rankunit.engine.group;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.rankunit.engine.control.place.DeviceRef;

/** A group could not be brought up. The message names the first rank that failed, or the ranks that are missing. */
public final class BringUpException extends Exception {

    private static final long serialVersionUID = 1L;

    /** A serializable class, as every field of an exception must have. */
    private final HashSet<DeviceRef> atFault;

    BringUpException(String message) {
        this(message, Set.of());
    }

    BringUpException(String message, Set<DeviceRef> atFault) {
        super(message);
        this.atFault = new HashSet<>(atFault);
    }

    BringUpException(String message, Throwable cause) {
        super(message, cause);
        this.atFault = new HashSet<>();
    }

    /** The devices that reported a fault of their own. */
    public Set<DeviceRef> atFault() {
        return Collections.unmodifiableSet(atFault);
    }
}
