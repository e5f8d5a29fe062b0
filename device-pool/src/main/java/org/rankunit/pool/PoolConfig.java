package org.rankunit.pool;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Say where a pool lives and what it may lease.
 *
 * <p>Processes share devices exactly when they name the same folder. Immutable.
 *
 * @param folder the pool's own folder, on a local file system; need not exist
 * @param inventories devices by platform name, in the order of the names
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PoolConfig(Path folder, Map<String, Inventory> inventories) {

    private static final int VIRTUAL_DEVICES = 16;

    /** @throws IllegalArgumentException if an inventory is filed under another platform's name */
    public PoolConfig {
        inventories = Collections.unmodifiableSortedMap(new TreeMap<>(inventories));
        inventories.forEach((platform, inventory) -> {
            if (!inventory.platform().equals(platform)) {
                throw new IllegalArgumentException(
                        "inventories: the devices of " + inventory.platform() + " are filed under " + platform + ".");
            }
        });
    }

    /**
     * Take what serves where nothing is configured: {@code <java.io.tmpdir>/rankunit-pool-<user>}, 16 virtual devices
     * on each simulator ({@code a2a3sim}, {@code a5sim}) and none on the hardware ({@code a2a3}, {@code a5}).
     */
    public static PoolConfig defaults() {
        String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "_");
        Path folder = Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "rankunit-pool-" + user);
        return new PoolConfig(folder, Map.of())
                .with(Inventory.ofFirst(VIRTUAL_DEVICES, "a2a3sim"))
                .with(Inventory.ofFirst(VIRTUAL_DEVICES, "a5sim"))
                .with(Inventory.ofFirst(0, "a2a3"))
                .with(Inventory.ofFirst(0, "a5"));
    }

    /** Copy this configuration with another folder. */
    public PoolConfig in(Path otherFolder) {
        return new PoolConfig(otherFolder, inventories);
    }

    /** Copy this configuration with {@code inventory} in place of what was known of its platform. */
    public PoolConfig with(Inventory inventory) {
        SortedMap<String, Inventory> more = new TreeMap<>(inventories);
        more.put(inventory.platform(), inventory);
        return new PoolConfig(folder, more);
    }
}
