package org.rankunit.cli.pool;

import java.util.List;
import org.rankunit.pool.inventory.DeviceList;

/** A device named on the command line. */
public record DeviceRef(String platform, int id) {

    /** Returns all devices of a platform that the pool leases to this process. */
    public static List<DeviceRef> allOf(PoolAccess access, String platform) {
        return of(platform, access.lent(platform));
    }

    /** Returns all devices of the selected platforms that the pool leases to this process. */
    public static List<DeviceRef> all(PoolAccess access) {
        return access.platforms().stream()
                .flatMap(platform -> allOf(access, platform).stream())
                .toList();
    }

    /**
     * Parses ids and ranges of the selected platform.
     *
     * @throws UsageException if the text is malformed, or the pool does not lease one of the devices to this process
     */
    public static List<DeviceRef> parse(PoolAccess access, String text) {
        String platform = access.platform();
        List<Integer> lent = access.lent(platform);
        List<Integer> ids;
        try {
            ids = DeviceList.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("DEVICES = " + e.getMessage());
        }
        List<Integer> unknown = ids.stream().filter(id -> !lent.contains(id)).toList();
        if (!unknown.isEmpty()) {
            throw new UsageException("DEVICES = \"" + text + "\": this process cannot lease "
                    + DeviceList.format(unknown) + " of " + platform + ".\nIt can lease "
                    + DeviceList.format(lent) + "; use --platform for another platform.");
        }
        return of(platform, ids);
    }

    private static List<DeviceRef> of(String platform, List<Integer> ids) {
        return ids.stream().map(id -> new DeviceRef(platform, id)).toList();
    }

    /** {@code device 3 of a2a3}. */
    @Override
    public String toString() {
        return "device " + id + " of " + platform;
    }
}
