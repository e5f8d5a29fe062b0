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
 * Configure where a pool keeps its files and which devices it may lease.
 *
 * <p>Processes share devices if and only if they name the same folder. Immutable.
 *
 * @param folder the pool's own folder, on a local file system; need not exist yet
 * @param inventories devices by platform name, sorted by name
 * @param probe how to check whether a suspect device works; without a probe, suspect devices are leased after all
 *     others
 * @param quarantine how long a device is not leased after it failed a probe
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PoolConfig(
        Path folder, Map<String, Inventory> inventories, Optional<DeviceProbe> probe, Duration quarantine) {

    /**
     * Folder that all users of a machine share, if an administrator has created it with the set-group-id bit and write
     * access for its group but not for others, for example by {@code install -d -m 2770 -g npu /var/lib/rankunit/pool}.
     */
    public static final Path SYSTEM_FOLDER = PoolFolder.SYSTEM;

    private static final int VIRTUAL_DEVICES = 16;
    private static final Duration QUARANTINE = Duration.ofHours(1);

    /**
     * @throws IllegalArgumentException if an inventory is filed under another platform's name, or the quarantine is
     *     negative or longer than 36,500 days
     */
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
        if (quarantine.compareTo(LeaseRequest.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "quarantine = " + quarantine + ": give at most " + LeaseRequest.LONGEST + ".");
        }
    }

    /** Configure a pool without a probe and with a quarantine of an hour. */
    public PoolConfig(Path folder, Map<String, Inventory> inventories) {
        this(folder, inventories, Optional.empty(), QUARANTINE);
    }

    /**
     * Return the default configuration: {@link #SYSTEM_FOLDER} if it exists, else
     * {@code <java.io.tmpdir>/rankunit-pool-<user>}, with the user id if the user has no name; 16 virtual devices on
     * each simulator ({@code a2a3sim}, {@code a5sim}) and none on the hardware ({@code a2a3}, {@code a5}); no probe; a
     * quarantine of an hour.
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

    /** Copy this configuration with {@code inventory} as the only inventory of its platform. */
    public PoolConfig with(Inventory inventory) {
        SortedMap<String, Inventory> more = new TreeMap<>(inventories);
        more.put(inventory.platform(), inventory);
        return new PoolConfig(folder, more, probe, quarantine);
    }

    /** Copy this configuration with a probe that checks suspect devices before they are leased again. */
    public PoolConfig probing(DeviceProbe suspects) {
        return new PoolConfig(folder, inventories, Optional.of(suspects), quarantine);
    }

    /** Copy this configuration with another length of the quarantine after a failed probe. */
    public PoolConfig quarantining(Duration time) {
        return new PoolConfig(folder, inventories, probe, time);
    }
}
