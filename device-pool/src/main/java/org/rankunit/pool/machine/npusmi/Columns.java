package org.rankunit.pool.machine.npusmi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The named columns of one header cell, or of a header line without cells.
 *
 * <p>Values are separated by blanks and assigned by the order of the names only, since widths differ between drivers. A
 * chip's name may contain blanks: {@link #NAME} takes what the other columns leave.
 */
final class Columns {

    static final String NPU = "npu";
    static final String CHIP = "chip";
    static final String LOGIC_ID = "logic-id";
    static final String PHY_ID = "phy-id";
    static final String NAME = "name";
    static final String HEALTH = "health";
    static final String BUS_ID = "bus-id";

    private static final Map<String, String> ALIASES = Map.of(
            "npu id", NPU,
            "chip id", CHIP,
            "chip logic id", LOGIC_ID,
            "chip phy-id", PHY_ID,
            "device", PHY_ID,
            "chip name", NAME);

    /** Those that are read; others may be there as often as they like. */
    private static final Set<String> READ = Set.of(NPU, CHIP, LOGIC_ID, PHY_ID, NAME, HEALTH, BUS_ID);

    private final List<String> names = new ArrayList<>();

    private Columns() {}

    /** Splits a header with {@code words}, since some names contain a blank. */
    static Columns of(String header, Pattern words) {
        Columns columns = new Columns();
        Matcher matcher = words.matcher(header);
        while (matcher.find()) {
            String name = matcher.group().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
            columns.names.add(ALIASES.getOrDefault(name, name));
        }
        return columns;
    }

    /** Which of the columns that are read a header names more than once, so it is unknown which one counts. */
    static Optional<String> namedTwice(List<Columns> cells) {
        Set<String> seen = new HashSet<>();
        return cells.stream()
                .flatMap(cell -> cell.names.stream())
                .filter(name -> READ.contains(name) && !seen.add(name))
                .findFirst();
    }

    boolean has(String name) {
        return names.contains(name);
    }

    /** Reads values by column; empty if their number does not match the columns. */
    Map<String, String> read(String text) {
        List<String> values = text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
        int spare = values.size() - names.size();
        if (spare < 0 || (spare > 0 && !has(NAME))) {
            return Map.of();
        }
        Map<String, String> byName = new HashMap<>();
        int next = 0;
        for (String name : names) {
            int end = next + 1 + (name.equals(NAME) ? spare : 0);
            byName.put(name, String.join(" ", values.subList(next, end)));
            next = end;
        }
        return byName;
    }
}
