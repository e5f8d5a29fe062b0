package org.rankunit.engine.schedule;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The amount of memory that all simulated devices share. */
final class HostMemory {

    private HostMemory() {}

    /** Memory and swap of this machine, or of the container of this process; {@code Long.MAX_VALUE} on JVMs other than HotSpot. */
    static long bytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize() + system.getTotalSwapSpaceSize()
                : Long.MAX_VALUE;
    }
}
