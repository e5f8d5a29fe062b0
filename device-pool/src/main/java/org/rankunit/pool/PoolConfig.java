package org.rankunit.pool;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.PoolFolder;

/**
 * Say where a pool lives and what it may lease.
 *
 * <p>Processes share devices exactly when they name the same folder. Immutable.
 *
 * @param folder the pool's own folder, on a local file system; need not exist
 * @param inventories devices by platform name, in the order of the names
 * @param probe how to find out whether a suspect device works; without one, suspect devices are lent after all others
 * @param quarantine for how long a device is not lent after a probe of it failed
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PoolConfig(
        Path folder, Map<String, Inventory> inventories, Optional<DeviceProbe> probe, Duration quarantine) {

    /**
     * Folder that all users of a machine share, if an administrator has made it: with the set-group-id bit, writable for its
     * group and nobody else, such as {@code install -d -m 2770 -g npu /var/lib/rankunit/pool}.
     */
    public static final Path SYSTEM_FOLDER = PoolFolder.SYSTEM;

    private static final int VIRTUAL_DEVICES = 16;
    private static final Duration QUARANTINE = Duration.ofHours(1);

    /** @throws IllegalArgumentException if an inventory is filed under another platform's name, or no time is left alone */
    public PoolConfig {
        inventories = Collections.unmodifiableSortedMap(new TreeMap<>(inventories));
        inventories.forEach((platform, inventory) -> {
            if (!inventory.platform().equals(platform)) {
                throw new IllegalArgumentException(
                        "inventories: the devices of " + inventory.platform() + " are filed under " + platform + ".");
            }
        });
        if (quarantine.isNegative()) {
            throw new IllegalArgumentException("quarantine = " + quarantine + " is negative.");
        }
    }

    /** Say where a pool lives and what it may lease, without a probe. */
    public PoolConfig(Path folder, Map<String, Inventory> inventories) {
        this(folder, inventories, Optional.empty(), QUARANTINE);
    }

    /**
     * Take what serves where nothing is configured: {@link #SYSTEM_FOLDER} if it exists, else
     * {@code <java.io.tmpdir>/rankunit-pool-<user>}, with the number of a user that has no name; 16 virtual devices on each
     * simulator ({@code a2a3sim}, {@code a5sim}) and none on the hardware ({@code a2a3}, {@code a5}); no probe; quarantine
     * of an hour.
     */
    public static PoolConfig defaults() {
        return new PoolConfig(Files.exists(SYSTEM_FOLDER) ? SYSTEM_FOLDER : PoolFolder.ownFolder(), Map.of())
                .with(Inventory.ofFirst(VIRTUAL_DEVICES, "a2a3sim"))
                .with(Inventory.ofFirst(VIRTUAL_DEVICES, "a5sim"))
                .with(Inventory.ofFirst(0, "a2a3"))
                .with(Inventory.ofFirst(0, "a5"));
    }

    /** Copy this configuration with another folder. */
    public PoolConfig in(Path otherFolder) {
        return new PoolConfig(otherFolder, inventories, probe, quarantine);
    }

    /** Copy this configuration with {@code inventory} in place of what was known of its platform. */
    public PoolConfig with(Inventory inventory) {
        SortedMap<String, Inventory> more = new TreeMap<>(inventories);
        more.put(inventory.platform(), inventory);
        return new PoolConfig(folder, more, probe, quarantine);
    }

    /** Copy this configuration, and probe suspect devices before they are lent again. */
    public PoolConfig probing(DeviceProbe suspects) {
        return new PoolConfig(folder, inventories, Optional.of(suspects), quarantine);
    }

    /** Copy this configuration with another time for which a device that failed its probe is not lent. */
    public PoolConfig quarantining(Duration time) {
        return new PoolConfig(folder, inventories, probe, time);
    }
}
