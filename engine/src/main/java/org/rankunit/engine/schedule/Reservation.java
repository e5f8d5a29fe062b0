package org.rankunit.engine.schedule;

import org.rankunit.pool.DeviceLease;

/** Devices that a group has, and how long they were waited for. */
public record Reservation(DeviceLease lease, long waitedNanos) {}
