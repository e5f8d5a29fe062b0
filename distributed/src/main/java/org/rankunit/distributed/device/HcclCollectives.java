package org.rankunit.distributed.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.run.VendorCollective;
import org.rankunit.device.Device;

/** Runs the collectives of HCCL, among all ranks of the test. */
@API(status = INTERNAL, since = "0.1")
public final class HcclCollectives implements DeviceCollectives {

    private final VendorCollective vendor;

    /** All ranks wait for each other here: HCCL's communicator is made by its first call of all ranks. */
    public HcclCollectives(DeviceMembers members) {
        if (!members.isWhole()) {
            throw new IllegalArgumentException("a group of ranks " + members.ranks() + " of "
                    + IntStream.range(0, members.rank().worldSize()).boxed().toList() + ": the backend hccl"
                    + " has groups of all ranks in their order only; use the backend rankunit for others");
        }
        this.vendor = new VendorCollective(members.rank().communicator());
        Device device = members.rank().device();
        long address = device.allocate(1);
        try {
            vendor.run(CollectiveCall.of(Collective.BROADCAST, members.size(), DType.INT8, 1), address, address);
        } finally {
            device.free(address);
        }
    }

    @Override
    public void run(CollectiveCall call, long input, long output) {
        vendor.run(call, input, output);
    }

    @Override
    public void close() {}
}
