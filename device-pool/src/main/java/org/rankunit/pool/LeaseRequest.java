package org.rankunit.pool;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Inventory;

/**
 * Ask for {@code count} devices of one platform at once.
 *
 * <p>Immutable.
 *
 * @param platform name such as {@code a2a3sim}
 * @param count number of devices, at least 1
 * @param test who asks, as people will read it in other processes' messages; not blank
 * @param expected how long the lease will take at the most; empty if nobody can say, and then it overtakes nobody and nobody
 *     overtakes those who wait for its devices
 * @param avoided devices to exclude
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeaseRequest(
        String platform, int count, String test, Optional<Duration> expected, SortedSet<Integer> avoided) {

    /** @throws IllegalArgumentException if a component is outside its range; the text names the value */
    public LeaseRequest {
        Inventory.checkPlatform(platform);
        if (count < 1) {
            throw new IllegalArgumentException("count = " + count + ": a lease has at least 1 device.");
        }
        check(test, expected);
        avoided = Collections.unmodifiableSortedSet(new TreeSet<>(avoided));
    }

    static void check(String test, Optional<Duration> expected) {
        if (test.isBlank()) {
            throw new IllegalArgumentException(
                    "test = \"" + test + "\": say who asks, so that others can see who holds the devices.");
        }
        if (expected.isPresent()
                && (expected.get().isNegative() || expected.get().isZero())) {
            throw new IllegalArgumentException("expected = " + expected.get() + ": a lease takes some time.");
        }
    }

    /** Ask for a lease of which nobody can say how long it takes. */
    public LeaseRequest(String platform, int count, String test) {
        this(platform, count, test, Optional.empty(), Collections.emptySortedSet());
    }

    /** Copy this request, and say how long the lease will take at the most. */
    public LeaseRequest expecting(Duration atMost) {
        return new LeaseRequest(platform, count, test, Optional.of(atMost), avoided);
    }

    /** Copy this request, and name devices to exclude. */
    public LeaseRequest avoiding(Collection<Integer> devices) {
        return new LeaseRequest(platform, count, test, expected, new TreeSet<>(devices));
    }

    /** {@code "4 devices"}, {@code "1 device"}. */
    String devicesInWords() {
        return DeviceList.inWords(count);
    }
}
