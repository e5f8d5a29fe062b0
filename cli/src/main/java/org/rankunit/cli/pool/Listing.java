package org.rankunit.cli.pool;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.DeviceStatus;
import org.rankunit.pool.WaitingRequest;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.machine.NpuDevice;

/**
 * All devices and all waiting processes, at one moment. Immutable.
 *
 * @param at the moment of the listing
 * @param folder the pool's folder
 * @param devices ordered by platform, hardware before simulators, then by id
 * @param waiting ordered by platform, then by place
 * @param notes information about the devices, for people
 */
public record Listing(Instant at, Path folder, List<Entry> devices, List<Waiter> waiting, List<String> notes) {

    /**
     * One device.
     *
     * @param npu what npu-smi reports, or what follows from its node; empty for a virtual device
     * @param status what the pool reports; empty for a device that is not available to this process
     * @param leftOut why it is not available to this process; empty if it is
     */
    public record Entry(
            String platform, int id, Optional<NpuDevice> npu, Optional<DeviceStatus> status, String leftOut) {

        /** The health that the pool knows; sound for a device that is not available to this process. */
        public DeviceHealth health() {
            return status.map(DeviceStatus::health).orElseGet(DeviceHealth.Sound::new);
        }
    }

    /** A waiting request. Its place in the queue of its platform counts from 1. */
    public record Waiter(String platform, int place, WaitingRequest request) {}

    /** Lists the platforms that the user selected. */
    public static Listing of(PoolAccess access, DevicePool pool, Instant at) {
        List<Entry> devices = new ArrayList<>();
        List<Waiter> waiting = new ArrayList<>();
        for (String platform : access.platforms()) {
            devices.addAll(entries(access, platform, pool.status(platform)));
            int place = 1;
            for (WaitingRequest request : pool.queue(platform)) {
                waiting.add(new Waiter(platform, place++, request));
            }
        }
        return new Listing(at, pool.folder(), devices, waiting, access.notes());
    }

    private static List<Entry> entries(PoolAccess access, String platform, List<DeviceStatus> lent) {
        var npus = access.setup().machine().devices().stream()
                .filter(npu -> npu.platform().equals(platform))
                .collect(Collectors.toMap(NpuDevice::id, Function.identity()));
        List<Entry> entries = new ArrayList<>();
        for (DeviceStatus status : lent) {
            Optional<NpuDevice> npu = Optional.ofNullable(npus.remove(status.device()));
            entries.add(new Entry(platform, status.device(), npu, Optional.of(status), ""));
        }
        npus.values()
                .forEach(npu -> entries.add(
                        new Entry(platform, npu.id(), Optional.of(npu), Optional.empty(), access.whyLeftOut(npu))));
        entries.sort(Comparator.comparingInt(Entry::id));
        return entries;
    }
}
