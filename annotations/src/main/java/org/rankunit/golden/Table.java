package org.rankunit.golden;

import java.util.ArrayList;
import java.util.List;

/** Lay out rows of cells so that the columns line up, indented under a heading. */
final class Table {

    private static final String INDENT = "\n  ";
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    /** Add a row. The last cell of a row does not widen its column, so it may have any length. */
    void add(String... cells) {
        rows.add(cells);
    }

    /** Write all rows, each on its own line, without trailing spaces. */
    @Override
    public String toString() {
        int[] widths = widths();
        StringBuilder text = new StringBuilder();
        for (String[] cells : rows) {
            text.append(INDENT);
            int end = text.length();
            for (int column = 0; column < cells.length; column++) {
                text.append(cells[column]);
                end = cells[column].isEmpty() ? end : text.length();
                text.append(" ".repeat(Math.max(0, widths[column] - cells[column].length())))
                        .append(GAP);
            }
            text.setLength(end);
        }
        return text.toString();
    }

    private int[] widths() {
        int columns = 0;
        for (String[] cells : rows) {
            columns = Math.max(columns, cells.length);
        }
        int[] widths = new int[columns];
        for (String[] cells : rows) {
            for (int column = 0; column < cells.length - 1; column++) {
                widths[column] = Math.max(widths[column], cells[column].length());
            }
        }
        return widths;
    }
}
