package org.rankunit.pool.machine;

import java.util.regex.Pattern;
import org.rankunit.pool.inventory.TopologyRules;

/**
 * One row of {@link ChipTable}.
 *
 * @param chipName what the whole of a chip's name must match, without {@code Ascend} before it
 * @param dualOnly whether the row is for machines with two chips on each NPU alone
 * @param highestIdFrom the highest id on the machine must be at least this
 * @param platform of the devices
 * @param rules for leases of them
 * @param groupSize devices that are linked directly, where nothing better tells; 0 for all
 * @param packageSize devices in one package
 */
record MachineKind(
        Pattern chipName,
        boolean dualOnly,
        int highestIdFrom,
        String platform,
        TopologyRules rules,
        int groupSize,
        int packageSize) {

    boolean fits(String name, boolean dual, int highestId) {
        return chipName.matcher(name).matches() && (dual || !dualOnly) && highestId >= highestIdFrom;
    }
}
