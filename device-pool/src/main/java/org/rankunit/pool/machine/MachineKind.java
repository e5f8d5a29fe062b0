package org.rankunit.pool.machine;

import java.util.regex.Pattern;
import org.rankunit.pool.inventory.TopologyRules;

/**
 * One row of {@link ChipTable}.
 *
 * @param chipName pattern that must match the whole name of a chip, without a leading {@code Ascend}
 * @param dualOnly whether the row applies only to machines with two chips on each NPU
 * @param highestIdFrom minimum of the highest id on the machine
 * @param platform platform of the devices
 * @param rules rules for leases of the devices
 * @param groupSize number of directly linked devices, used if nothing better is known; 0 for all
 * @param packageSize number of devices in one package
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
