package org.rankunit.engine.site;

import java.time.Instant;
import java.util.List;
import org.rankunit.engine.protocol.DeviceRef;

/** The devices of one group, which has them to itself until it gives them back. Thread-safe. */
public interface GroupLease extends AutoCloseable {

    /** The devices, in the order of the ranks; unchanged after the lease is closed. */
    List<DeviceRef> devices();

    /** The name of the devices' platform. */
    String platform();

    /** Since when the group has them. */
    Instant since();

    /** Record that the group uses its devices for this request from now on. */
    void renew(GroupRequest request);

    /** Report that one of the devices may be faulty, for example because the process that used it was killed. */
    void suspect(DeviceRef device, String reason);

    /** Give the devices back; the second and later calls do nothing. */
    @Override
    void close();
}
