package org.rankunit.engine.schedule;

import java.time.Instant;
import java.util.List;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.site.GroupLease;
import org.rankunit.engine.site.GroupRequest;
import org.rankunit.pool.DeviceLease;

/** Devices of this machine, leased from its pool. */
record PooledLease(DeviceLease lease) implements GroupLease {

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
    public void renew(GroupRequest request) {
        lease.renew(request.user(), request.expected());
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
