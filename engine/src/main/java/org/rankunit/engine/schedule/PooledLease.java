package org.rankunit.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.place.DeviceRef;
import org.rankunit.pool.DeviceLease;

/**
 * Devices of this machine, leased from its pool.
 *
 * @param expected how long a group will be at work, rather too long than too short; empty if unknown
 */
record PooledLease(DeviceLease lease, Function<GroupPlan, Optional<Duration>> expected) implements GroupLease {

    @Override
    public List<DeviceRef> devices() {
        return lease.devices().stream().map(DeviceRef::here).toList();
    }

    @Override
    public String platform() {
        return lease.platform();
    }

    @Override
    public Instant since() {
        return lease.owner().since();
    }

    @Override
    public void renew(GroupPlan plan) {
        lease.renew(plan.className(), expected.apply(plan));
    }

    @Override
    public void suspect(DeviceRef device, String reason) {
        lease.suspect(device.id(), reason);
    }

    @Override
    public void close() {
        lease.close();
    }
}
