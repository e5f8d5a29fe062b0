package org.rankunit.pool;

import org.apiguardian.api.API;

/**
 * Ask for {@code count} devices of one platform at once.
 *
 * <p>Immutable.
 *
 * @param platform name such as {@code a2a3sim}
 * @param count number of devices, at least 1
 * @param test who asks, as people will read it in other processes' messages; not blank
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeaseRequest(String platform, int count, String test) {

    /** @throws IllegalArgumentException if a component is outside its range; the text names the value */
    public LeaseRequest {
        Inventory.checkPlatform(platform);
        if (count < 1) {
            throw new IllegalArgumentException("count = " + count + ": a lease has at least 1 device.");
        }
        if (test.isBlank()) {
            throw new IllegalArgumentException(
                    "test = \"" + test + "\": say who asks, so that others can see who holds the devices.");
        }
    }

    /** {@code "4 devices"}, {@code "1 device"}. */
    String devicesInWords() {
        return count == 1 ? "1 device" : count + " devices";
    }
}
