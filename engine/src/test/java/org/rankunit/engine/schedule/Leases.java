package org.rankunit.engine.schedule;

import org.rankunit.engine.site.GroupLease;
import org.rankunit.pool.DeviceLease;

/** Leases of groups, from leases of a pool. */
public final class Leases {

    private Leases() {}

    public static GroupLease of(DeviceLease lease) {
        return new PooledLease(lease);
    }
}
