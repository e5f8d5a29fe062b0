package org.rankunit.pool.machine.npusmi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code npu-smi info}: two header lines, then two lines for each chip, in cells between {@code |}.
 *
 * <p>A2 writes {@code NPU Name} and {@code Chip} into the first cells, A3 {@code NPU Name} and {@code Chip Phy-ID}; A5
 * has a separate cell for the name, and no chip numbers. Lines that do not fit are counted and skipped. The table of
 * processes that follows is not read.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InfoTable {

    private static final Pattern WORDS = Pattern.compile("NPU ID|NPU Util\\S*|\\S+", Pattern.CASE_INSENSITIVE);

    private final List<Chip> chips = new ArrayList<>();
    private int damaged;
    private @Nullable List<Columns> firstHeader;
    private @Nullable List<Columns> secondHeader;
    private @Nullable Map<String, String> firstLine;
    private @Nullable String namedTwice;

    private InfoTable() {}

    public static InfoTable parse(String text) {
        InfoTable table = new InfoTable();
        for (String line : text.lines().toList()) {
            String low = line.toLowerCase(Locale.ROOT);
            if (low.contains("process id") || low.contains("no running processes") || table.namedTwice != null) {
                break;
            }
            if (line.strip().startsWith("|")) {
                table.take(cells(line));
            } else {
                table.endOfChip();
            }
        }
        table.endOfChip();
        return table;
    }

    public List<Chip> chips() {
        return List.copyOf(chips);
    }

    /** Number of lines, or pairs of lines, that should describe a chip but could not be read. */
    public int damaged() {
        return damaged;
    }

    /** Which column a header names twice; the table is not read then. Empty if none. */
    public Optional<String> namedTwice() {
        return Optional.ofNullable(namedTwice);
    }

    /** Whether the table has the form for NPUs with two chips, even if only one chip is shown. */
    public boolean hasPhyIds() {
        return chips.stream().anyMatch(chip -> chip.phyId() != null);
    }

    private void take(List<String> cells) {
        if (firstHeader == null) {
            firstHeader = header(cells, Columns.HEALTH);
        } else if (secondHeader == null) {
            secondHeader = header(cells, Columns.BUS_ID);
        } else if (firstLine == null) {
            startChip(read(firstHeader, cells));
        } else {
            addChip(firstLine, read(secondHeader, cells));
            firstLine = null;
        }
    }

    private void startChip(Map<String, String> line) {
        if (Chip.number(line.get(Columns.NPU)) != null && line.containsKey(Columns.NAME)) {
            firstLine = line;
        } else {
            damaged++;
        }
    }

    private void addChip(Map<String, String> first, Map<String, String> second) {
        Integer npu = Chip.number(first.get(Columns.NPU));
        boolean numbered = secondHeader != null && secondHeader.stream().anyMatch(columns -> columns.has(Columns.CHIP));
        Integer chip = numbered ? Chip.number(second.get(Columns.CHIP)) : Integer.valueOf(0);
        String busId = second.get(Columns.BUS_ID);
        if (npu == null || chip == null || busId == null) {
            damaged++;
            return;
        }
        chips.add(new Chip(
                npu,
                chip,
                null,
                Chip.number(second.get(Columns.PHY_ID)),
                first.getOrDefault(Columns.NAME, ""),
                first.getOrDefault(Columns.HEALTH, ""),
                busId));
    }

    private void endOfChip() {
        if (firstLine != null) {
            damaged++;
            firstLine = null;
        }
    }

    private @Nullable List<Columns> header(List<String> cells, String wanted) {
        List<Columns> columns =
                cells.stream().map(cell -> Columns.of(cell, WORDS)).toList();
        if (columns.stream().noneMatch(cell -> cell.has(wanted))) {
            return null;
        }
        namedTwice = Columns.namedTwice(columns).orElse(null);
        return columns;
    }

    private static Map<String, String> read(List<Columns> header, List<String> cells) {
        Map<String, String> values = new HashMap<>();
        if (header.size() == cells.size()) {
            for (int i = 0; i < cells.size(); i++) {
                values.putAll(header.get(i).read(cells.get(i)));
            }
        }
        return values;
    }

    private static List<String> cells(String line) {
        String inner = line.strip().substring(1);
        return List.of((inner.endsWith("|") ? inner.substring(0, inner.length() - 1) : inner).split("\\|", -1));
    }
}
