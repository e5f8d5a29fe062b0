package org.rankunit.pool.machine.npusmi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code npu-smi info -m}: one header line, one line for each chip, columns separated by blanks.
 *
 * <p>Each NPU also has a controller, {@code Mcu}, which is not a device: its id is {@code -}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MappingTable {

    private static final Pattern WORDS = Pattern.compile(
            "NPU ID|Slot ID|Chip ID|Chip Logic ID|Chip Phy-ID|Chip Name|\\S+", Pattern.CASE_INSENSITIVE);

    private MappingTable() {}

    /** Reads the chips that have an id; none if the text has another form, or its header names a column twice. */
    public static List<Chip> parse(String text) {
        List<Chip> chips = new ArrayList<>();
        Columns header = null;
        for (String line : text.lines().toList()) {
            if (header == null) {
                Columns columns = Columns.of(line, WORDS);
                boolean isHeader = columns.has(Columns.NPU) && columns.has(Columns.NAME);
                if (isHeader && Columns.namedTwice(List.of(columns)).isPresent()) {
                    return List.of();
                }
                header = isHeader ? columns : null;
            } else {
                Chip chip = chip(header.read(line));
                if (chip != null) {
                    chips.add(chip);
                }
            }
        }
        return chips;
    }

    private static @Nullable Chip chip(Map<String, String> line) {
        Integer npu = Chip.number(line.get(Columns.NPU));
        Integer chip = Chip.number(line.get(Columns.CHIP));
        Integer logicId = Chip.number(line.get(Columns.LOGIC_ID));
        Integer phyId = Chip.number(line.get(Columns.PHY_ID));
        if (npu == null || chip == null || (logicId == null && phyId == null)) {
            return null;
        }
        return new Chip(npu, chip, logicId, phyId, line.getOrDefault(Columns.NAME, ""), "", "");
    }
}
