package org.rankunit.pool;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One try to lock all the devices of a request. For the thread that is inside the gate. */
final class LeaseAttempt {

    private final SharedFolder folder;
    private final Inventory inventory;
    private final LeaseRequest request;
    private final Map<Integer, LockFile> locked = new HashMap<>();

    LeaseAttempt(SharedFolder folder, Inventory inventory, LeaseRequest request) {
        this.folder = folder;
        this.inventory = inventory;
        this.request = request;
    }

    /**
     * Lock all devices of the request, or none.
     *
     * @return empty if too few devices are free
     * @throws PoolException if the folder's files cannot be used; nothing stays locked
     */
    Optional<DeviceLease> make() {
        folder.preparePlatform(request.platform());
        try {
            return DeviceChoice.choose(inventory.devices(), request.count(), this::lock)
                    .map(this::handOver);
        } finally {
            locked.values().forEach(LockFile::unlock);
        }
    }

    private boolean lock(int device) {
        LockFile file = folder.lockFile(request.platform(), device);
        if (!file.tryLock()) {
            return false;
        }
        locked.put(device, file);
        return true;
    }

    private DeviceLease handOver(List<Integer> chosen) {
        OwnerRecord owner = OwnerRecord.ofThisProcess(request.test(), Instant.now());
        byte[] encoded = OwnerFile.encode(owner);
        chosen.forEach(device -> record(device, encoded));
        SortedMap<Integer, LockFile> leased = new TreeMap<>();
        for (int device : chosen) {
            LockFile file = locked.remove(device);
            if (file != null) {
                leased.put(device, file);
            }
        }
        return new DeviceLease(folder, request.platform(), owner, leased);
    }

    private void record(int device, byte[] encoded) {
        OwnerFile file = folder.ownerFile(request.platform(), device);
        try {
            file.write(encoded);
        } catch (IOException e) {
            throw new PoolException(
                    file.path() + ", the record of who holds the device, cannot be written: " + PoolFolder.reason(e)
                            + ".\nMake room there. " + PoolFolder.WHAT_TO_DO,
                    e);
        }
    }
}
