package org.rankunit.comm;

import java.util.LinkedHashSet;
import java.util.Set;
import org.rankunit.device.Device;

/**
 * Reads contexts from the device. If the communicator belongs to another library than the device, the contexts and windows are
 * registered with the device first, which would refuse to access them otherwise.
 */
final class ContextReader {

    private final Device device;

    private final boolean adopts;

    private final Set<Long> adopted = new LinkedHashSet<>();

    ContextReader(Device device, boolean adopts) {
        this.device = device;
        this.adopts = adopts;
    }

    /** Reads a context with windows that are not registered yet. */
    synchronized CommContext read(long address, int rankCount) {
        CommContext context = readPart(address, rankCount);
        if (adopts) {
            for (long window : context.windows()) {
                adopt(window, context.windowSize());
            }
        }
        return context;
    }

    /** Reads a context over registered windows. */
    synchronized CommContext readPart(long address, int rankCount) {
        if (adopts) {
            adopt(address, CommContext.BYTES);
        }
        byte[] bytes = new byte[CommContext.BYTES];
        device.copyOut(address, bytes, 0, bytes.length);
        return CommContext.parse(bytes, rankCount);
    }

    private void adopt(long address, long bytes) {
        device.adopt(address, bytes);
        adopted.add(address);
    }

    /** Call this before the context is released, and its windows with it if they were {@linkplain #read read} with it. */
    synchronized void forget(long address, CommContext context) {
        if (adopts) {
            disown(address);
            for (long window : context.windows()) {
                disown(window);
            }
        }
    }

    private void disown(long address) {
        if (adopted.remove(address)) {
            device.disown(address);
        }
    }

    /** Call this before the windows are released. */
    synchronized void disownAll() {
        adopted.forEach(device::disown);
        adopted.clear();
    }
}
