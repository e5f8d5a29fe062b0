package org.rankunit.pool.queue;

import java.io.IOException;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.health.HealthFile;
import org.rankunit.pool.lock.LockFile;
import org.rankunit.pool.lock.OwnerFile;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolException;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.PoolFolder;

/**
 * The device locks that the holder of the pool's mutex takes temporarily, to see which devices are free and to hand
 * some of them over. Closing this releases all locks that were not handed over.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DeviceLocks implements AutoCloseable {

    private final PoolFiles files;
    private final String platform;
    private final Map<Integer, LockFile> locked = new HashMap<>();

    public DeviceLocks(PoolFiles files, String platform) {
        this.files = files;
        this.platform = platform;
    }

    /** Lock a device; false if it is held. */
    public boolean lock(int device) {
        if (locked.containsKey(device)) {
            return true;
        }
        LockFile file = files.lockFile(platform, device);
        if (!file.tryLock()) {
            return false;
        }
        locked.put(device, file);
        return true;
    }

    public DeviceHealth health(int device) {
        return HealthFile.of(files, platform, device).read();
    }

    /**
     * Hand over devices whose locks this object holds.
     *
     * @throws PoolException if the records cannot be written; the devices then stay locked here
     */
    HeldDevices handOver(BitSet devices, ResolvedRequest request) {
        OwnerRecord owner = OwnerRecord.ofThisProcess(request.test(), Instant.now(), request.expected());
        byte[] encoded = OwnerFile.encode(owner);
        devices.stream().forEach(device -> record(device, encoded));
        SortedMap<Integer, LockFile> leased = new TreeMap<>();
        devices.stream().forEach(device -> leased.put(device, keep(device)));
        return new HeldDevices(files, request.platform(), owner, leased);
    }

    /** Hand a device's lock to the caller, who becomes responsible for unlocking it. */
    public LockFile keep(int device) {
        LockFile file = locked.remove(device);
        if (file == null) {
            throw new IllegalStateException("device " + device + " is not locked here");
        }
        return file;
    }

    public void record(int device, byte[] owner) {
        OwnerFile file = files.ownerFile(platform, device);
        try {
            file.write(owner);
        } catch (IOException e) {
            throw new PoolException(
                    file.path() + ", the record of who holds the device, cannot be written: " + PoolFolder.reason(e)
                            + ".\nMake room there. " + PoolFolder.WHAT_TO_DO,
                    e);
        }
    }

    @Override
    public void close() {
        locked.values().forEach(LockFile::unlock);
        locked.clear();
    }
}
