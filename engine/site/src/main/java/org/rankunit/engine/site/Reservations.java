package org.rankunit.engine.site;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.DeviceRef;

/** Reserves devices for groups: from the pool of this machine, or from what a cluster has allocated to the run. Thread-safe. */
public interface Reservations {

    /** The devices on which tests of this run can run. */
    DevicesHere devicesHere();

    /** Whether a request waits for devices of a platform. Cheap; the answer may be slightly out of date. */
    boolean isAwaited(Platform platform);

    /** Why a group can never get its devices without these; empty if it can. */
    Optional<String> whyNever(GroupRequest request, Set<DeviceRef> avoided);

    /** Reserve the devices of a group if they are free now. */
    Optional<Reservation> tryReserve(GroupRequest request, Set<DeviceRef> avoided);

    /**
     * Reserve the devices of a group, waiting for them if necessary.
     *
     * @param avoided devices that must not be used
     * @param waits receives who is in the way while it waits; that is also printed
     * @throws ReservationException if they do not become free in time; the message says who holds them
     */
    Reservation reserve(GroupRequest request, Set<DeviceRef> avoided, Consumer<String> waits);
}
