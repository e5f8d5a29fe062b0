package org.rankunit.engine.schedule;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How much memory there is for all simulated devices together. */
final class HostMemory {

    private HostMemory() {}

    /** Memory and swap of this machine, or of the container around this process; not known to other JVMs than HotSpot. */
    static long bytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize() + system.getTotalSwapSpaceSize()
                : Long.MAX_VALUE;
    }
}
