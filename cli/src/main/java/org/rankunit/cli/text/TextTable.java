package org.rankunit.cli.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of text, separated by two blanks, and cut if the lines would be too long.
 *
 * @param columns their headings, and what may be cut
 * @param rows each has one cell per column
 */
public record TextTable(List<Column> columns, List<List<String>> rows) {

    private static final String GAP = "  ";
    private static final String CUT = "...";
    /** No column is cut below this width. */
    private static final int NARROWEST = 16;

    /** Which end of a cell may be cut. */
    public enum Spare {
        NOTHING,
        FRONT,
        END
    }

    /** One column. */
    public record Column(String head, Spare spare) {

        public static Column whole(String head) {
            return new Column(head, Spare.NOTHING);
        }
    }

    /** Formats the headings and the rows. Lines are longer than {@code width} only if nothing more can be cut. */
    public List<String> lines(int width) {
        int[] widths = widths(width);
        List<String> lines = new ArrayList<>();
        lines.add(line(columns.stream().map(Column::head).toList(), widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private int[] widths(int width) {
        int[] widths = new int[columns.size()];
        int total = GAP.length() * (widths.length - 1);
        for (int i = 0; i < widths.length; i++) {
            widths[i] = columns.get(i).head().length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
            total += widths[i];
        }
        for (; total > width; total--) {
            int widest = widestThatCanSpare(widths);
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private int widestThatCanSpare(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            boolean spares = columns.get(i).spare() != Spare.NOTHING && widths[i] > NARROWEST;
            if (spares && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cut(cells.get(i), widths[i], columns.get(i).spare());
            line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String cell, int width, Spare spare) {
        if (cell.length() <= width) {
            return cell;
        }
        int kept = width - CUT.length();
        return spare == Spare.FRONT ? CUT + cell.substring(cell.length() - kept) : cell.substring(0, kept) + CUT;
    }
}
