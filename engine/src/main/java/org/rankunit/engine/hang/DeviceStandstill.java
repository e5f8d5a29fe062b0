package org.rankunit.engine.hang;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.hang.HangSummary.Position;
import org.rankunit.engine.protocol.FromRank.DeviceWaits;

/**
 * Detects that all ranks wait, and at least one of them for its devices.
 *
 * <p>What a device waits for can be done by any rank that goes on, so this is about all of them. Each must wait for its devices, be
 * in an operation of its communicator that another rank has not reached, or be outside of the test; and none of its devices may do
 * anything. One round of answers proves nothing, because the ranks answer one after the other. Two rounds without a change between
 * them do: all ranks waited when the first round had ended and the second had not begun.
 */
final class DeviceStandstill {

    /** What must not change between two rounds. */
    private record Round(SortedMap<Integer, Position> positions, SortedMap<Integer, Long> changes) {}

    private @Nullable Round before;

    /** Something has happened, so what was answered until now is out of date. */
    void disturbed() {
        before = null;
    }

    /** Whether all ranks waited in the last round already, so that another one is worth its while at once. */
    boolean isSuspected() {
        return before != null;
    }

    /** Process a round of answers. Returns whether this proves that no rank can go on. */
    boolean heard(SortedMap<Integer, Position> positions, SortedMap<Integer, DeviceWaits> devices) {
        if (!allWait(positions, devices)) {
            before = null;
            return false;
        }
        SortedMap<Integer, Long> changes = new TreeMap<>();
        devices.forEach((rank, waits) -> changes.put(rank, waits.changes()));
        Round now = new Round(positions, changes);
        boolean proven = now.equals(before);
        before = now;
        return proven;
    }

    private static boolean allWait(SortedMap<Integer, Position> positions, SortedMap<Integer, DeviceWaits> devices) {
        return devices.values().stream().noneMatch(DeviceWaits::mayGoOn)
                && positions.values().stream().anyMatch(DeviceStandstill::waitsForDevice)
                && positions.entrySet().stream()
                        .allMatch(each -> each.getValue() instanceof Position.Outside
                                || waitsForDevice(each.getValue())
                                || WaitCycle.isHeldUp(positions, each.getKey()));
    }

    static boolean waitsForDevice(Position position) {
        return position instanceof Position.There there && !there.waits().isEmpty();
    }
}
