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
 * @param platform platform name, such as {@code a2a3sim}
 * @param count number of devices, at least 1
 * @param test who makes the request, shown to people in other processes' messages; not blank
 * @param expected how long the lease will take at most, up to 36,500 days; empty if unknown. A lease of unknown length
 *     does not overtake other requests for the same devices, and no request overtakes those that wait for its devices
 * @param avoided devices that must not be leased
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeaseRequest(
        String platform, int count, String test, Optional<Duration> expected, SortedSet<Integer> avoided) {

    /** So that no moment at which a lease ends is beyond what records can tell. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    /** @throws IllegalArgumentException if a component is out of range; the message names the value */
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
                    "test = \"" + test + "\": name the test, so that others can see who holds the devices.");
        }
        if (expected.isPresent()
                && (expected.get().isNegative() || expected.get().isZero())) {
            throw new IllegalArgumentException("expected = " + expected.get() + ": a lease takes more than zero time.");
        }
        if (expected.isPresent() && expected.get().compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("expected = " + expected.get() + ": give at most " + LONGEST
                    + ", or nothing if you do not know how long the lease will take.");
        }
    }

    /** Ask for a lease of unknown length. */
    public LeaseRequest(String platform, int count, String test) {
        this(platform, count, test, Optional.empty(), Collections.emptySortedSet());
    }

    /** Copy this request with the longest time that the lease will take. */
    public LeaseRequest expecting(Duration atMost) {
        return new LeaseRequest(platform, count, test, Optional.of(atMost), avoided);
    }

    /** Copy this request with devices that must not be leased. */
    public LeaseRequest avoiding(Collection<Integer> devices) {
        return new LeaseRequest(platform, count, test, expected, new TreeSet<>(devices));
    }

    /** {@code "4 devices"}, {@code "1 device"}. */
    String devicesInWords() {
        return DeviceList.inWords(count);
    }
}
