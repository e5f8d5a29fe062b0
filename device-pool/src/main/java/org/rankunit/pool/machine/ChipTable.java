package org.rankunit.pool.machine;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.rankunit.pool.inventory.TopologyRules;

/**
 * Which chips are known, and what machines they are in. A new chip is a new row.
 *
 * <p>The rules are those of the vendor's scheduler for Kubernetes (Ascend/mind-cluster, {@code ascend-for-volcano}). Where a
 * chip does not tell in which machine it is, the row has the least that any of them asks for:
 *
 * <ul>
 *   <li>An A2 server with eight devices and an A2 Box16 differ in their highest id alone, so a container on a Box16 that
 *       is given devices 0-7 alone is taken for a server. Its devices are in one group all the same.
 *   <li>An Atlas 350 (groups of four) has the chips of a 950 server (eight, each linked to each), so neither has a rule.
 *       Groups come from {@code npu-smi info -t topo}, and are only preferred.
 *   <li>The 910 of before A2 is another architecture than {@code a2a3} compiles for, so it has a platform of its own.
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

    /** The first row that fits holds. */
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
     * @param dual whether chips come in pairs on this machine
     * @param highestId of all devices on this machine
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
