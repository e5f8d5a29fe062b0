package org.rankunit.engine.site;

/** The devices leased for a group, and how long the wait for them took. */
public record Reservation(GroupLease lease, long waitedNanos) {}
