package org.rankunit.pool.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.health.Probes;
import org.rankunit.pool.inventory.DeviceChoice;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.lock.OwnerFile;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolFiles;

/**
 * One pass over the queue and the devices of a platform, made by the holder of the pool's mutex.
 *
 * <p>Suspect devices that can be probed count as held until the probe is done. Devices in quarantine count as absent.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class QueuePass {

    private final PoolFiles files;
    private final String platform;
    private final DeviceLocks locks;
    private final Runnable released;
    private final BitSet held = new BitSet();
    private final BitSet free = new BitSet();
    private final BitSet suspect = new BitSet();

    /** @param released called when a probed device is available again */
    public QueuePass(PoolFiles files, String platform, DeviceLocks locks, Runnable released) {
        this.files = files;
        this.platform = platform;
        this.locks = locks;
        this.released = released;
    }

    /**
     * Decide which requests may start.
     *
     * @param tickets all waiting requests in order of arrival
     * @param requests the requests of this JVM, by the order of their tickets; empty for a plan that is only displayed
     * @param topology the topology to use for requests of other processes
     */
    public Backfill.Plan plan(List<Ticket> tickets, Map<Long, ResolvedRequest> requests, Topology topology) {
        Map<List<Integer>, DeviceChoice> choices = new HashMap<>();
        List<Backfill.Waiting> queue = new ArrayList<>();
        BitSet wanted = new BitSet();
        for (Ticket ticket : tickets) {
            ResolvedRequest own = requests.get(ticket.order());
            DeviceChoice choice = own != null
                    ? own.choice()
                    : choices.computeIfAbsent(
                            ticket.devices(), devices -> new DeviceChoice(new Inventory(platform, devices, topology)));
            wanted.or(choice.all());
            queue.add(new Backfill.Waiting(choice, ticket.count(), ticket.expectedMillis()));
        }
        boolean canProbe =
                requests.values().stream().anyMatch(request -> request.probe().isPresent());
        wanted.stream().forEach(device -> look(device, canProbe));
        // Reading when leases end is expensive, and pointless here if no request could overtake.
        boolean endsMatter = requests.isEmpty() || (queue.size() > 1 && !free.isEmpty());
        return Backfill.plan(System.currentTimeMillis(), free, running(endsMatter), queue);
    }

    private void look(int device, boolean canProbe) {
        if (!locks.lock(device)) {
            held.set(device);
            return;
        }
        DeviceHealth health = locks.health(device);
        if (health instanceof DeviceHealth.Suspect && canProbe) {
            suspect.set(device);
        } else if (!(health instanceof DeviceHealth.Quarantined)) {
            free.set(device);
        }
    }

    private List<Backfill.Running> running(boolean endsMatter) {
        Map<Long, BitSet> byEnd = new HashMap<>();
        held.stream()
                .forEach(device -> byEnd.computeIfAbsent(
                                endsMatter ? endOf(device) : Backfill.UNKNOWN, none -> new BitSet())
                        .set(device));
        if (!suspect.isEmpty()) {
            byEnd.computeIfAbsent(Backfill.UNKNOWN, none -> new BitSet()).or(suspect);
        }
        List<Backfill.Running> running = new ArrayList<>();
        byEnd.forEach((end, devices) -> running.add(new Backfill.Running(devices, end)));
        return running;
    }

    private long endOf(int device) {
        return files.ownerFile(platform, device)
                .read()
                .flatMap(OwnerRecord::until)
                .map(Instant::toEpochMilli)
                .orElse(Backfill.UNKNOWN);
    }

    /** Start probing the suspect devices that {@code request} could use. */
    void probeSuspects(ResolvedRequest request) {
        Optional<DeviceProbe> probe = request.probe();
        if (probe.isEmpty() || !suspect.intersects(request.choice().all())) {
            return;
        }
        Probes probes = new Probes(files, platform, released);
        BitSet tried = (BitSet) suspect.clone();
        tried.and(request.choice().all());
        suspect.andNot(tried);
        tried.stream().forEach(device -> {
            locks.record(device, OwnerFile.encode(Probes.owner(device, probe.get())));
            probes.begin(device, locks.keep(device), probe.get(), request.quarantine());
        });
    }
}
