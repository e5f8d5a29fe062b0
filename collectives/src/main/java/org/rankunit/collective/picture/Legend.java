package org.rankunit.collective.picture;

import java.util.LinkedHashSet;
import java.util.Set;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TaskKind;

/** Explains what is in a picture, and nothing that is not. */
final class Legend {

    static final double TOP = 30;
    private static final double LINE = 18;
    private static final double DIGIT = 6.1;

    private final CollectiveCall call;
    private final boolean withCells;
    private final boolean withSignals;
    private final Set<String> looks = new LinkedHashSet<>();
    private boolean reduces;
    private double x = 8;
    private double widest;

    Legend(CollectiveCall call, Schedule schedule, boolean withCells, boolean withSignals) {
        this.call = call;
        this.withCells = withCells;
        this.withSignals = withSignals;
        for (RankSchedule rank : schedule.ranks()) {
            for (int task = 0; task < rank.size(); task++) {
                TaskKind kind = rank.kind(task);
                if (kind.isTransfer()) {
                    String medium = call.sameServer(rank.rank(), rank.peer(task)) ? "inside" : "between";
                    looks.add((kind.writesThere() ? "write " : "read ") + medium);
                } else if (kind.movesData()) {
                    looks.add(kind.reduces() ? "local sum" : "local");
                }
                reduces |= kind.isTransfer() && kind.reduces();
            }
        }
    }

    double height() {
        return withCells ? 2 * LINE : LINE;
    }

    /** How wide it has become. */
    double width() {
        return widest;
    }

    void draw(Svg svg) {
        double y = TOP + 8;
        looks.stream().sorted().forEach(look -> drawLook(look, y, svg));
        if (reduces) {
            note("+ reduces into what is there", y, svg);
        }
        if (withSignals) {
            svg.box("post", x, y - 7, 3, 14, "");
            x += 8;
            note("post", y, svg);
            svg.box("wait", x, y - 7, 3, 14, "");
            x += 8;
            note("wait", y, svg);
        }
        if (withCells) {
            x = 8;
            drawCells(y + LINE, svg);
        }
    }

    private void drawLook(String look, double y, Svg svg) {
        svg.open(look, "");
        if (look.startsWith("local")) {
            svg.box("bar", x, y - 5, 22, 10, "");
        } else {
            svg.arrow(x, y, x + 28, y);
        }
        svg.close();
        x += look.startsWith("local") ? 27 : 33;
        note(name(look), y, svg);
    }

    private static String name(String look) {
        return switch (look) {
            case "local" -> "copy";
            case "local sum" -> "reduction";
            case "write inside" -> "write, inside a server";
            case "write between" -> "write, between servers";
            case "read inside" -> "read, inside a server";
            default -> "read, between servers";
        };
    }

    private void drawCells(double y, Svg svg) {
        boolean sums = call.collective().reduces();
        cell(sums ? "l1" : "s1", "1", sums ? "input of rank 1" : "from rank 1", y, svg);
        if (sums) {
            cell("l4", "0+1", "inputs of ranks 0 and 1, reduced", y, svg);
            cell("all", "0.." + (call.ranks() - 1), "inputs of all ranks", y, svg);
        }
        cell("none", "", "not written yet", y, svg);
        cell("none new", "", "changed", y, svg);
        note("#1 is the second chunk", y, svg);
    }

    private void cell(String look, String label, String text, double y, Svg svg) {
        double width = Math.max(20, label.length() * 6.2 + 6);
        svg.box("cell " + look, x, y - 7, width, 14, "");
        svg.text("held", x + width / 2, y + 4, label);
        x += width + 5;
        note(text, y, svg);
    }

    private void note(String text, double y, Svg svg) {
        svg.text("name", x, y + 4, text);
        x += text.length() * DIGIT + 14;
        widest = Math.max(widest, x);
    }
}
