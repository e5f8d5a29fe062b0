package org.rankunit.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at devices and queues without changing anything. Thread-safe. */
final class PoolView {

    private final SharedFolder folder;

    PoolView(SharedFolder folder) {
        this.folder = folder;
    }

    /** Each device of an inventory, as it is now. */
    List<DeviceStatus> devices(Inventory inventory) {
        return folder.gate().passing(() -> {
            folder.checkPlatform(inventory.platform());
            return inventory.devices().stream()
                    .map(device -> look(inventory.platform(), device))
                    .toList();
        });
    }

    private DeviceStatus look(String platform, int device) {
        boolean held = folder.lockFile(platform, device).isHeld();
        return new DeviceStatus(
                device,
                held ? DeviceState.HELD : DeviceState.FREE,
                held ? folder.ownerFile(platform, device).read() : Optional.empty(),
                folder.healthFile(platform, device).read());
    }

    /** Who waits for devices of the inventory's platform, of those who came before a certain ticket. */
    List<WaitingRequest> waiting(Inventory inventory, long before) {
        String platform = inventory.platform();
        return folder.gate().passing(() -> {
            List<Ticket> tickets = folder.queue(platform).tickets();
            if (tickets.isEmpty()) {
                return List.of();
            }
            folder.checkPlatform(platform);
            try (DeviceLocks locks = new DeviceLocks(folder, platform)) {
                Map<Integer, Long> promises = new QueuePass(folder, platform, locks)
                        .plan(tickets, Map.of(), inventory.topology())
                        .promises();
                // A known end lies ahead; the moment of planning stands for one that nobody knows.
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
