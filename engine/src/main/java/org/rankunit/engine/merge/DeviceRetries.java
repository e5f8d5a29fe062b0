package org.rankunit.engine.merge;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.pool.inventory.DeviceList;

/**
 * Which tests of one class and variant run once more, on other devices, because a device said that it is at fault. A wrong result
 * is never the device's fault, and nothing runs a third time.
 */
final class DeviceRetries {

    private final Function<Set<Integer>, Optional<String>> whyNotWithout;
    private final Map<String, String> notes = new HashMap<>();
    private final SortedSet<Integer> avoided = new TreeSet<>();
    private boolean bringUpRepeated;

    // Of the present group.
    private boolean hasClaimed;

    /** @param whyNotWithout why the variant cannot run without these devices; empty if it can */
    DeviceRetries(Function<Set<Integer>, Optional<String>> whyNotWithout) {
        this.whyNotWithout = whyNotWithout;
    }

    /** The devices that the next group is not to have. */
    Set<Integer> avoided() {
        return Set.copyOf(avoided);
    }

    void beginGroup() {
        hasClaimed = false;
    }

    /** Whether a test that ran on the present group is to run once more. */
    boolean hasClaimed() {
        return hasClaimed;
    }

    /** What is to be told of a test's earlier run, or of why there was none; empty for most. */
    String note(TestNode node) {
        return notes.getOrDefault(node.uniqueId, "");
    }

    /** Whether a test that has all its ends is to run once more, rather than to be reported as it ended. */
    boolean claims(TestNode node, GroupView group) {
        if (!node.isTest() || notes.containsKey(node.uniqueId) || !isOfDeviceAlone(node)) {
            return false;
        }
        SortedSet<Integer> atFault = new TreeSet<>();
        StringBuilder what = new StringBuilder();
        node.ends.forEach((rank, end) -> {
            if (end.outcome() instanceof RankOutcome.Failed failed) {
                int device = group.devices().get(rank).id();
                atFault.add(device);
                what.append(what.isEmpty() ? "" : ", ")
                        .append("device " + device + " (rank " + rank + ") failed with ")
                        .append(VendorErrors.describe(failed.deviceError()));
            }
        });
        Optional<String> never = avoid(Set.copyOf(group.deviceIds()), atFault);
        notes.put(
                node.uniqueId,
                never.map(why -> "not run again on other devices, since it " + why)
                        .orElse("run again on other devices, since on " + DeviceList.format(group.deviceIds()) + " "
                                + what));
        if (never.isEmpty()) {
            node.runAgain();
            hasClaimed = true;
        }
        return never.isEmpty();
    }

    /** Leave out the whole group if there are enough others, or else what is at fault; tells why neither can be. */
    private Optional<String> avoid(Set<Integer> group, Set<Integer> atFault) {
        Set<Integer> without = new TreeSet<>(avoided);
        without.addAll(group);
        Optional<String> never = whyNotWithout.apply(without);
        if (never.isPresent()) {
            without = new TreeSet<>(avoided);
            without.addAll(atFault);
            never = whyNotWithout.apply(without);
        }
        if (never.isEmpty()) {
            avoided.addAll(without);
        }
        return never;
    }

    private static boolean isOfDeviceAlone(TestNode node) {
        boolean ofDevice = node.ends.values().stream()
                .anyMatch(end -> end.outcome() instanceof RankOutcome.Failed failed && failed.isOfDevice());
        return ofDevice
                && node.forcedFailure() == null
                && node.ends.values().stream()
                        .map(RankEnd::outcome)
                        .allMatch(outcome -> !outcome.isFailure()
                                || outcome instanceof RankOutcome.Released
                                || (outcome instanceof RankOutcome.Failed failed && failed.isOfDevice()));
    }

    /** Whether a group is to be brought up once more, on other devices than these, which said that they are at fault. */
    boolean claimsBringUp(Set<Integer> atFault) {
        if (bringUpRepeated || atFault.isEmpty()) {
            return false;
        }
        bringUpRepeated = avoid(atFault, atFault).isEmpty();
        return bringUpRepeated;
    }
}
