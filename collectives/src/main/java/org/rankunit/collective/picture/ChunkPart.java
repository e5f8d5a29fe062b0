package org.rankunit.collective.picture;

import java.util.List;
import java.util.Map;
import org.rankunit.collective.call.BufferKind;

/** Draws what the chunks of each rank hold: a row for each rank and buffer, and in it the chunks side by side at each moment. */
final class ChunkPart {

    private static final double ROW = 20;
    private static final double CELL = 15;
    private static final double DIGIT = 7.2;
    private static final double NARROWEST = 24;

    private final Chunks chunks;
    private final Contents contents;
    private final double cell;

    ChunkPart(Chunks chunks, Contents contents) {
        this.chunks = chunks;
        this.contents = contents;
        int longest = contents.states().values().stream()
                .flatMap(state -> state.ranks().stream())
                .flatMap(rank -> rank.values().stream())
                .flatMap(List::stream)
                .mapToInt(each -> each.label().length())
                .max()
                .orElse(0);
        this.cell = Math.max(NARROWEST, longest * DIGIT + 6);
    }

    /** Cells that would be drawn. */
    long cells() {
        return contents.states().values().stream()
                .flatMap(state -> state.ranks().stream())
                .flatMap(rank -> rank.values().stream())
                .mapToLong(List::size)
                .sum();
    }

    /** Room that each moment needs. */
    double width() {
        int most = chunks.kinds().stream()
                .mapToInt(kind -> chunks.of(kind).size())
                .max()
                .orElse(0);
        return most * cell;
    }

    double height(int ranks) {
        return 16 + ranks * (chunks.kinds().size() * ROW + 6);
    }

    void draw(int ranks, TimeAxis axis, double left, double top, Svg svg) {
        Contents.State before = null;
        for (Map.Entry<Long, Contents.State> moment : contents.states().entrySet()) {
            double x = axis.at(moment.getKey());
            boolean last = moment.getKey().equals(contents.states().lastKey());
            double y = top + 16;
            drawNumbers(x, top + 10, svg);
            for (int rank = 0; rank < ranks; rank++) {
                for (BufferKind kind : chunks.kinds()) {
                    if (before == null) {
                        svg.text("rank", 8, y + 11, "rank " + rank);
                        svg.text("name end", left - 6, y + 11, kind.toString());
                    }
                    List<Cell> old = before == null ? List.of() : before.of(rank, kind);
                    List<Cell> cells = moment.getValue().of(rank, kind);
                    for (int number = 0; number < cells.size(); number++) {
                        boolean changed =
                                number < old.size() && !old.get(number).equals(cells.get(number));
                        String look = last && contents.isWrong(rank, kind, number) ? " bad" : changed ? " new" : "";
                        draw(cells.get(number), look, x + number * cell, y, svg);
                    }
                    y += ROW;
                }
                y += 6;
            }
            before = moment.getValue();
        }
    }

    private void drawNumbers(double x, double y, Svg svg) {
        int most = chunks.kinds().stream()
                .mapToInt(kind -> chunks.of(kind).size())
                .max()
                .orElse(0);
        for (int number = 0; number < most && most > 1; number++) {
            svg.text("name mid", x + (number + 0.5) * cell, y, "#" + number);
        }
    }

    private void draw(Cell held, String look, double x, double y, Svg svg) {
        svg.box("cell " + held.look() + look, x + 0.5, y, cell - 1, CELL, held.text());
        if (!held.label().isEmpty()) {
            svg.text("held", x + cell / 2, y + 11, held.label());
        }
    }
}
