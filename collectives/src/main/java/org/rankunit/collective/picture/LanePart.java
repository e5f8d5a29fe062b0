package org.rankunit.collective.picture;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.Finding;

/** Draws the lanes of the ranks with their tasks, and the arrows between them. */
final class LanePart {

    private static final double DIGIT = 6.6;
    private static final double STUCK = 104;
    private static final double MICRO = 1e6;

    private final Schedule schedule;
    private final List<Item> items;
    private final TimeAxis axis;
    private final Lanes lanes;
    private final Chunks chunks;
    private final Marks marks;
    private final Svg svg;
    /** The middle of each task that is drawn. */
    private final Map<Marks.Place, double[]> middles = new HashMap<>();

    LanePart(Schedule schedule, List<Item> items, TimeAxis axis, Lanes lanes, Chunks chunks, Marks marks, Svg svg) {
        this.schedule = schedule;
        this.items = items;
        this.axis = axis;
        this.lanes = lanes;
        this.chunks = chunks;
        this.marks = marks;
        this.svg = svg;
    }

    /** Room that tasks need which wait forever. */
    static double room(List<Task> stuck) {
        return stuck.isEmpty() ? 0 : STUCK;
    }

    void draw(List<Task> stuck, boolean withSignals, double left, double right) {
        for (int rank = 0; rank < schedule.call().ranks(); rank++) {
            svg.box("band", left, lanes.top(rank), right - left, lanes.bottom(rank) - lanes.top(rank), "");
            svg.text("rank", 8, lanes.middle(rank, 0) + 4, "rank " + rank);
            for (int stream : lanes.streams(rank)) {
                String name = stream == 0 ? "main" : "sub " + (stream - 1);
                svg.text("name end", left - 6, lanes.middle(rank, stream) + 4, name);
            }
        }
        if (withSignals) {
            drawSignalEdges();
        }
        for (int number = 0; number < items.size(); number++) {
            drawArrow(number, items.get(number));
        }
        for (int number = 0; number < items.size(); number++) {
            Item item = items.get(number);
            double x = (axis.left(number) + axis.right(number)) / 2;
            double y = lanes.middle(item.task().rank(), item.task().stream());
            middles.put(Marks.Place.of(item.task()), new double[] {x, y});
            if (item.task().kind().movesData()) {
                drawBar(number, item);
            } else if (withSignals || marks.has(item.task())) {
                drawSignal(number, item.task());
            }
        }
        stuck.forEach(this::drawStuck);
        drawFindings();
    }

    private void drawSignalEdges() {
        for (int number = 0; number < items.size(); number++) {
            int post = items.get(number).post();
            if (post >= 0) {
                Task from = items.get(post).task();
                Task to = items.get(number).task();
                svg.line(
                        "signal",
                        axis.left(post) + 1,
                        lanes.middle(from.rank(), from.stream()),
                        axis.left(number) + 1,
                        lanes.middle(to.rank(), to.stream()));
            }
        }
    }

    private void drawSignal(int number, Task task) {
        String look = (task.kind() == TaskKind.POST ? "post" : "wait") + bad(task);
        double y = lanes.middle(task.rank(), task.stream()) - Lanes.BAR / 2;
        svg.box(look, axis.left(number), y, 3, Lanes.BAR, task.toString());
    }

    private String bad(Task task) {
        return marks.has(task) ? " bad" : "";
    }

    /** Below the bars, so that these can be read. */
    private void drawArrow(int number, Item item) {
        Task task = item.task();
        Region from = task.from();
        Region to = task.to();
        if (from == null || to == null || !task.kind().isTransfer()) {
            return;
        }
        boolean writes = task.kind().writesThere();
        int peer = writes ? to.rank() : from.rank();
        double y = lanes.middle(task.rank(), task.stream());
        double own = y + (peer < task.rank() ? -Lanes.BAR / 2 : Lanes.BAR / 2);
        double edge = lanes.edge(peer, task.rank());
        svg.open("transfer " + look(task, from.rank(), to.rank()) + bad(task), title(item));
        svg.arrow(axis.left(number), writes ? own : edge, axis.right(number), writes ? edge : own);
        svg.close();
    }

    private static String title(Item item) {
        return item.task() + "\n" + micros(item.begin()) + " to " + micros(item.end());
    }

    private void drawBar(int number, Item item) {
        Task task = item.task();
        Region from = task.from();
        Region to = task.to();
        if (from == null || to == null) {
            return;
        }
        double left = axis.left(number);
        double right = axis.right(number);
        double y = lanes.middle(task.rank(), task.stream());
        svg.open(look(task, from.rank(), to.rank()) + bad(task), title(item));
        svg.box("bar", left, y - Lanes.BAR / 2, right - left, Lanes.BAR, "");
        String label = label(task, to, right - left - 4);
        if (!label.isEmpty()) {
            svg.text("label", (left + right) / 2, y + 3.8, label);
        }
        svg.close();
    }

    private String look(Task task, int from, int to) {
        if (!task.kind().isTransfer()) {
            return task.kind().reduces() ? "local sum" : "local";
        }
        String medium = schedule.call().sameServer(from, to) ? "inside" : "between";
        return (task.kind().writesThere() ? "write " : "read ") + medium;
    }

    private String label(Task task, Region to, double width) {
        String verb = switch (task.kind()) {
            case COPY -> "copy";
            case REDUCE -> "add";
            case PUT -> "write";
            case PUT_REDUCE -> "write+";
            case GET -> "read";
            case GET_REDUCE -> "read+";
            case POST, WAIT -> "";
        };
        String numbers = chunks.numbers(to);
        String all = numbers.isEmpty() ? verb : verb + " " + numbers;
        for (String text : List.of(all, numbers.isEmpty() ? verb : numbers)) {
            if (text.length() * DIGIT <= width) {
                return text;
            }
        }
        return "";
    }

    private void drawStuck(Task task) {
        double x = axis.end(task.rank(), task.stream()) + 6;
        double y = lanes.middle(task.rank(), task.stream());
        middles.put(Marks.Place.of(task), new double[] {x + 4, y});
        svg.open("stuck bad", task + "\nwaits forever");
        svg.box("bar", x, y - Lanes.BAR / 2, 96, Lanes.BAR, "");
        svg.text("label", x + 48, y + 3.8, "waits forever");
        svg.close();
    }

    /** Each edge once: many findings are about the same two tasks. */
    private void drawFindings() {
        Set<List<Marks.Place>> drawn = new HashSet<>();
        for (Finding finding : marks.findings()) {
            String name = Marks.edge(finding.kind());
            int size = finding.tasks().size();
            int edges =
                    name.isEmpty() || size < 2 ? 0 : finding.kind().toString().equals("deadlock") ? size : 1;
            for (int edge = 0; edge < edges; edge++) {
                Marks.Place from = Marks.Place.of(finding.tasks().get(edge));
                Marks.Place to = Marks.Place.of(finding.tasks().get((edge + 1) % size));
                if (drawn.add(List.of(from, to))) {
                    drawEdge(finding, name, middles.get(from), middles.get(to));
                }
            }
        }
    }

    private void drawEdge(Finding finding, String name, double @Nullable [] from, double @Nullable [] to) {
        if (from == null || to == null) {
            return;
        }
        svg.open("missing", finding.kind() + ": " + finding.text());
        svg.line("line", from[0], from[1], to[0], to[1]);
        svg.text("label", (from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - 3, name);
        svg.close();
    }

    /** Write a moment for people. */
    static String micros(long picoseconds) {
        return String.format(Locale.ROOT, "%.1f us", picoseconds / MICRO);
    }
}
