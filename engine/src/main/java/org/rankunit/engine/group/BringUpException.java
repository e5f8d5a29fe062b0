package org.rankunit.engine.group;

import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.rankunit.engine.protocol.DeviceRef;

/** A group could not be brought up. The message names the first rank that failed, or the ranks that are missing. */
public final class BringUpException extends Exception {

    private static final long serialVersionUID = 1L;

    /** A serializable class, as every field of an exception must have. */
    private final HashSet<DeviceRef> atFault;

    /** Empty if another try would fail as well. */
    private final String passing;

    BringUpException(String message) {
        this(message, "", Set.of());
    }

    BringUpException(String message, Throwable cause) {
        super(message, cause);
        this.atFault = new HashSet<>();
        this.passing = "";
    }

    private BringUpException(String message, String passing, Set<DeviceRef> atFault) {
        super(message);
        this.atFault = new HashSet<>(atFault);
        this.passing = passing;
    }

    /**
     * A failure that says nothing about the tests, so another group may come up.
     *
     * @param why the cause, as a clause
     * @param atFault the devices that the other group must not use
     */
    static BringUpException passing(String message, String why, Set<DeviceRef> atFault) {
        return new BringUpException(message, why, atFault);
    }

    /** Why another group may come up, as a clause; empty if it would fail as well. */
    public Optional<String> whyPassing() {
        return Optional.of(passing).filter(why -> !why.isEmpty());
    }

    /** The devices that are to blame. */
    public Set<DeviceRef> atFault() {
        return Collections.unmodifiableSet(atFault);
    }
}
