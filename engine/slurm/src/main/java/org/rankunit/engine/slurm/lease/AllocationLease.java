package org.rankunit.engine.slurm.lease;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.site.GroupLease;
import org.rankunit.engine.site.GroupRequest;
import org.slf4j.LoggerFactory;

/** Slots of an allocation that one group has. The numbers of its devices are the slots'; its ranks learn those of the hardware. */
final class AllocationLease implements GroupLease {

    private final List<DeviceRef> slots;
    private final String platform;
    private final Instant since = Instant.now();
    private final Consumer<AllocationLease> giveBack;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param giveBack called once, when the lease is closed */
    AllocationLease(List<DeviceRef> slots, String platform, Consumer<AllocationLease> giveBack) {
        this.slots = List.copyOf(slots);
        this.platform = platform;
        this.giveBack = giveBack;
    }

    @Override
    public List<DeviceRef> devices() {
        return slots;
    }

    @Override
    public String platform() {
        return platform;
    }

    @Override
    public Instant since() {
        return since;
    }

    /** Only this run has the slots, and nothing else asks what it does with them. */
    @Override
    public void renew(GroupRequest request) {}

    /** The health of devices is the cluster's to watch: Slurm gives out none that its administrators have taken away. */
    @Override
    public void suspect(DeviceRef device, String reason) {
        LoggerFactory.getLogger(AllocationLease.class).debug("{} may be faulty: {}", device.describe(), reason);
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            giveBack.accept(this);
        }
    }
}
