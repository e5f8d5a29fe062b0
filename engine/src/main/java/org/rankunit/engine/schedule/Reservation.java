package org.rankunit.engine.schedule;

import org.rankunit.pool.DeviceLease;

/** The devices leased for a group, and how long the wait for them took. */
public record Reservation(DeviceLease lease, long waitedNanos) {}
