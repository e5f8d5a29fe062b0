package org.rankunit.engine.cli;

import java.util.List;
import org.rankunit.pool.DeviceList;

/** A device that a person means. */
record DeviceRef(String platform, int id) {

    /** All devices that the pool lends of a platform. */
    static List<DeviceRef> allOf(PoolAccess access, String platform) {
        return of(platform, access.lent(platform));
    }

    /** All devices that the pool lends on the platforms asked about. */
    static List<DeviceRef> all(PoolAccess access) {
        return access.platforms().stream()
                .flatMap(platform -> allOf(access, platform).stream())
                .toList();
    }

    /**
     * Read ids and ranges of the platform that is meant.
     *
     * @throws UsageException if they cannot be read, or one is not of the pool
     */
    static List<DeviceRef> parse(PoolAccess access, String text) {
        String platform = access.platform();
        List<Integer> lent = access.lent(platform);
        List<Integer> ids;
        try {
            ids = DeviceList.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("DEVICES = " + e.getMessage());
        }
        List<Integer> strangers = ids.stream().filter(id -> !lent.contains(id)).toList();
        if (!strangers.isEmpty()) {
            throw new UsageException("DEVICES = \"" + text + "\": the pool does not lend "
                    + DeviceList.format(strangers) + " of " + platform + " here.\nIt lends "
                    + DeviceList.format(lent) + "; --platform names another platform.");
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
