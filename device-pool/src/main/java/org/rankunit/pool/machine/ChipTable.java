package org.rankunit.pool.machine;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.rankunit.pool.inventory.TopologyRules;

/**
 * The known chips and the machines they are in. To support a new chip, add a row.
 *
 * <p>The rules are those of the vendor's scheduler for Kubernetes (Ascend/mind-cluster, {@code ascend-for-volcano}). If
 * a chip does not identify its machine, the row has the weakest rules of the possible machines:
 *
 * <ul>
 *   <li>An A2 server with eight devices and an A2 Box16 differ only in their highest id, so a container on a Box16 that
 *       has only devices 0-7 is treated as a server. Its devices are in one group anyway.
 *   <li>An Atlas 350 (groups of four) has the chips of a 950 server (eight, fully connected), so neither has a rule.
 *       Groups come from {@code npu-smi info -t topo}, and are only preferred.
 *   <li>The 910 from before A2 has a different architecture from the one {@code a2a3} compiles for, so it has its own
 *       platform.
 * </ul>
 */
final class ChipTable {

    static final String A2A3 = "a2a3";
    static final String A5 = "a5";
    static final String ASCEND_910 = "ascend910";

    private static final TopologyRules MODULE_910 =
            new TopologyRules("Ascend 910", counts(1, 2, 4, 8), false, 4, false);
    private static final TopologyRules ATLAS_A2 = new TopologyRules("Atlas A2", counts(), false, 0, false);
    private static final TopologyRules BOX_16 =
            new TopologyRules("Atlas A2 Box16", counts(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16), false, 8, true);
    private static final TopologyRules ATLAS_A3 =
            new TopologyRules("Atlas A3", counts(1, 2, 4, 6, 8, 10, 12, 14, 16), true, 0, false);
    private static final TopologyRules ATLAS_950 = new TopologyRules("Ascend 950", counts(), false, 0, false);

    /** The first matching row applies. */
    static final List<MachineKind> ROWS = List.of(
            row("910_93\\w+", false, 0, A2A3, ATLAS_A3, 0, 2),
            row("910", true, 0, A2A3, ATLAS_A3, 0, 2),
            row("910B[1-9][\\w-]*", false, 8, A2A3, BOX_16, 8, 1),
            row("910B[1-9][\\w-]*", false, 0, A2A3, ATLAS_A2, 0, 1),
            row("910(A|B|Pro[AB]|Premium[AB])?", false, 0, ASCEND_910, MODULE_910, 4, 1),
            row("950[\\w-]*", false, 0, A5, ATLAS_950, 0, 1));

    private ChipTable() {}

    /**
     * Look a chip up.
     *
     * @param name as {@code npu-smi} writes it, such as {@code 910B3}, {@code Ascend 910B3} or {@code Ascend910}
     * @param dual whether each NPU of this machine has two chips
     * @param highestId the highest id of all devices on this machine
     */
    static Optional<MachineKind> find(String name, boolean dual, int highestId) {
        String bare = name.replaceFirst("(?i)^ascend\\s*", "");
        return ROWS.stream().filter(row -> row.fits(bare, dual, highestId)).findFirst();
    }

    private static MachineKind row(
            String chipName,
            boolean dualOnly,
            int highestIdFrom,
            String platform,
            TopologyRules rules,
            int groupSize,
            int packageSize) {
        Pattern pattern = Pattern.compile(chipName, Pattern.CASE_INSENSITIVE);
        return new MachineKind(pattern, dualOnly, highestIdFrom, platform, rules, groupSize, packageSize);
    }

    private static SortedSet<Integer> counts(Integer... counts) {
        return new TreeSet<>(List.of(counts));
    }
}
