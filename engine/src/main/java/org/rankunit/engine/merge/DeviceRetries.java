package org.rankunit.engine.merge;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.group.BringUpException;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.RankOutcome;

/**
 * Which tests of one class and variant are rerun once, on other devices, because a device reported a fault. A wrong result
 * never counts as a device fault, and no test runs a third time.
 */
final class DeviceRetries {

    private final Function<Set<DeviceRef>, Optional<String>> whyNotWithout;
    private final Map<String, String> notes = new HashMap<>();
    private final SortedSet<DeviceRef> avoided = new TreeSet<>();
    private boolean bringUpRepeated;

    /** A note on the group that was brought up again, for the first test that it ran. */
    private String bringUpNote = "";

    // State of the current group.
    private boolean hasClaimed;

    /** @param whyNotWithout why the variant cannot run without these devices; empty if it can */
    DeviceRetries(Function<Set<DeviceRef>, Optional<String>> whyNotWithout) {
        this.whyNotWithout = whyNotWithout;
    }

    /** The devices that the next group must not use. */
    Set<DeviceRef> avoided() {
        return Set.copyOf(avoided);
    }

    void beginGroup() {
        hasClaimed = false;
    }

    /** Whether a test that ran on the current group will be rerun. */
    boolean hasClaimed() {
        return hasClaimed;
    }

    /** A note on why a test was rerun, or why it was not despite a device fault; empty for most tests. */
    String note(TestNode node) {
        return notes.getOrDefault(node.uniqueId, "");
    }

    /** Whether a test that has ended on its ranks must be rerun instead of being reported. */
    boolean claims(TestNode node, GroupHooks group) {
        if (!node.isTest() || notes.containsKey(node.uniqueId) || !isOfDeviceAlone(node)) {
            return false;
        }
        SortedSet<DeviceRef> atFault = new TreeSet<>();
        StringBuilder what = new StringBuilder();
        node.ends.forEach((rank, end) -> {
            if (end.outcome() instanceof RankOutcome.Failed failed) {
                DeviceRef device = group.devices().get(rank);
                atFault.add(device);
                what.append(what.isEmpty() ? "" : ", ")
                        .append(device.describe() + " (rank " + rank + ") failed with ")
                        .append(VendorErrors.describe(failed.deviceError()));
            }
        });
        Optional<String> never = avoid(Set.copyOf(group.devices()), atFault);
        notes.put(
                node.uniqueId,
                never.map(why -> "not run again on other devices, since it " + why)
                        .orElse("run again on other devices, since on " + DeviceRef.list(group.devices()) + " "
                                + what));
        if (never.isEmpty()) {
            node.runAgain();
            hasClaimed = true;
        }
        return never.isEmpty();
    }

    /** Avoid the whole group if there are enough other devices, or else only those at fault; returns why neither is possible. */
    private Optional<String> avoid(Set<DeviceRef> group, Set<DeviceRef> atFault) {
        Set<DeviceRef> without = new TreeSet<>(avoided);
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

    /** Whether a group must be started once more, without the devices that are to blame if there are any. */
    boolean claimsBringUp(BringUpException failure) {
        if (bringUpRepeated || failure.whyPassing().isEmpty()) {
            return false;
        }
        Set<DeviceRef> atFault = failure.atFault();
        bringUpRepeated = atFault.isEmpty() || avoid(atFault, atFault).isEmpty();
        if (bringUpRepeated) {
            bringUpNote = "run on ranks that were brought up again" + (atFault.isEmpty() ? "" : " on other devices")
                    + ", since " + failure.whyPassing().get();
        }
        return bringUpRepeated;
    }

    /** Let the first test that is reported after a second bring-up have the note on it. */
    void noteBringUp(TestNode node) {
        if (node.isTest() && !bringUpNote.isEmpty()) {
            notes.merge(node.uniqueId, bringUpNote, (before, now) -> before + "; " + now);
            bringUpNote = "";
        }
    }
}
