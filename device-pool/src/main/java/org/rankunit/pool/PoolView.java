package org.rankunit.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.pool.health.HealthFile;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.queue.DeviceLocks;
import org.rankunit.pool.queue.PlatformQueue;
import org.rankunit.pool.queue.PlatformQueues;
import org.rankunit.pool.queue.QueuePass;
import org.rankunit.pool.queue.Ticket;

/** Reads the state of devices and queues without changing anything. Thread-safe. */
final class PoolView {

    private final PoolFiles files;
    private final PlatformQueues queues;

    PoolView(PoolFiles files, PlatformQueues queues) {
        this.files = files;
        this.queues = queues;
    }

    /** The current status of each device of an inventory. */
    List<DeviceStatus> devices(Inventory inventory) {
        return MutexWait.holding(files.mutex(), () -> {
            files.checkPlatform(inventory.platform());
            return inventory.devices().stream()
                    .map(device -> look(inventory.platform(), device))
                    .toList();
        });
    }

    private DeviceStatus look(String platform, int device) {
        boolean held = files.lockFile(platform, device).isHeld();
        return new DeviceStatus(
                device,
                held ? DeviceState.HELD : DeviceState.FREE,
                held ? files.ownerFile(platform, device).read() : Optional.empty(),
                HealthFile.of(files, platform, device).read());
    }

    /** The requests that wait for devices of the inventory's platform and came before the ticket {@code before}. */
    List<WaitingRequest> waiting(Inventory inventory, long before) {
        String platform = inventory.platform();
        return MutexWait.holding(files.mutex(), () -> {
            PlatformQueue queue = queues.queue(platform);
            List<Ticket> tickets = queue.tickets();
            if (tickets.isEmpty()) {
                return List.of();
            }
            files.checkPlatform(platform);
            try (DeviceLocks locks = new DeviceLocks(files, platform)) {
                Map<Integer, Long> promises = new QueuePass(files, platform, locks, queue::released)
                        .plan(tickets, Map.of(), inventory.topology())
                        .promises();
                // A known start is in the future; the time of planning stands for an unknown one.
                long planned = System.currentTimeMillis();
                List<WaitingRequest> waiting = new ArrayList<>();
                for (int i = 0; i < tickets.size() && tickets.get(i).order() < before; i++) {
                    Ticket ticket = tickets.get(i);
                    Optional<Instant> promised = Optional.ofNullable(promises.get(i))
                            .filter(moment -> moment > planned)
                            .map(Instant::ofEpochMilli);
                    waiting.add(new WaitingRequest(ticket.owner(), ticket.count(), ticket.devices(), promised));
                }
                return List.copyOf(waiting);
            }
        });
    }
}
