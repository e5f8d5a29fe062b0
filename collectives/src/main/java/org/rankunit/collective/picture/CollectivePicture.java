package org.rankunit.collective.picture;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.simulate.Trace;
import org.rankunit.collective.verify.finding.Finding;

/**
 * A schedule as a picture: a lane for each rank and stream, time to the right, an arrow for each transfer, and below what each chunk
 * of each rank holds at each step, computed from the tasks.
 *
 * <pre>{@code
 * Schedule schedule = Schedule.withLines(new RingAllReduce(), call);
 * Files.writeString(file, CollectivePicture.of(schedule).svg());
 * }</pre>
 *
 * <p>The same schedule gives the same picture. It loads nothing, and is light or dark as the system of the reader is. A schedule that
 * is too large for a picture gives one sentence; see {@link #unsupportedReason}. Immutable.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CollectivePicture {

    /** Most ranks of a picture. */
    public static final int MAX_RANKS = 16;

    /** Most tasks of a picture, those of all ranks together. */
    public static final int MAX_TASKS = 1000;

    private static final int MAX_CELLS = 6000;
    private static final int MAX_TOLD = 6;
    private static final int LONGEST = 150;
    private static final double LEAST = 30;
    private static final double LEFT = 110;

    private final Schedule schedule;
    private final Topology topology;
    private final List<Finding> findings;
    private final boolean withSignals;

    private CollectivePicture(Schedule schedule, Topology topology, List<Finding> findings, boolean withSignals) {
        this.schedule = schedule;
        this.topology = topology;
        this.findings = List.copyOf(findings);
        this.withSignals = withSignals;
    }

    /** Draw a schedule on a machine with one port for each rank, 2 us and 56 * 10^9 bytes/s. */
    public static CollectivePicture of(Schedule schedule) {
        return of(schedule, Topology.uniform(new LinkModel(2e-6, 56e9, 1, true)));
    }

    /** Draw a schedule with the times of this machine. */
    public static CollectivePicture of(Schedule schedule, Topology topology) {
        return new CollectivePicture(schedule, topology, List.of(), true);
    }

    /** Get the same with what is wrong with the schedule, in red. */
    public CollectivePicture withFindings(List<Finding> found) {
        return new CollectivePicture(schedule, topology, found, withSignals);
    }

    /** Get the same without posts and waits. */
    public CollectivePicture withoutSignals() {
        return new CollectivePicture(schedule, topology, findings, false);
    }

    /** Says why there is no picture, if the schedule is too large for one. */
    public Optional<String> unsupportedReason() {
        return unsupportedReason(schedule.algorithm(), schedule.call().ranks(), schedule.size());
    }

    /**
     * Says why there would be no picture, for who knows the size of a schedule and does not have it.
     *
     * @param algorithm its name
     * @param tasks of all ranks together
     */
    public static Optional<String> unsupportedReason(String algorithm, int ranks, long tasks) {
        if (ranks <= MAX_RANKS && tasks <= MAX_TASKS) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s of %d ranks has %,d tasks: a picture shows at most %d ranks and %,d tasks",
                algorithm,
                ranks,
                tasks,
                MAX_RANKS,
                MAX_TASKS));
    }

    /** The rules of the style, for a page that has pictures and names the colours itself. */
    public static String rules() {
        return Style.RULES;
    }

    /** Get the picture as a file of its own. */
    public String svg() {
        return drawn("<style>" + Style.COLOURS + Style.RULES + "</style>\n");
    }

    /** Get the picture without its style, for a page that has {@link #rules}. */
    public String plainSvg() {
        return drawn("");
    }

    /** Get a page with the picture. */
    public String html() {
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>%s</title>
                <style>html { color-scheme: light dark } body { margin: 12px }</style></head>
                <body>
                %s</body></html>
                """.formatted(Svg.escaped(schedule.algorithm()), svg());
    }

    private String drawn(String style) {
        Svg svg = new Svg();
        double[] size = unsupportedReason().map(reason -> sentence(reason, svg)).orElseGet(() -> draw(svg));
        String name = schedule.algorithm() + ", " + schedule.call();
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cp\" role=\"img\" aria-label=\"" + Svg.escaped(name)
                + "\" width=\"" + Svg.number(size[0]) + "\" height=\"" + Svg.number(size[1]) + "\" viewBox=\"0 0 "
                + Svg.number(size[0]) + " " + Svg.number(size[1]) + "\">\n" + style + svg + "</svg>\n";
    }

    private static double[] sentence(String reason, Svg svg) {
        svg.text("told", 10, 24, reason);
        return new double[] {reason.length() * 6.5 + 20, 40};
    }

    private double[] draw(Svg svg) {
        CollectiveCall call = schedule.call();
        Trace trace = Trace.of(schedule, topology);
        List<Item> items = Item.of(schedule, trace);
        Chunks chunks = Chunks.of(schedule);
        Contents contents = Contents.of(schedule, chunks, items, trace.stuck().isEmpty());
        ChunkPart cells = new ChunkPart(chunks, contents);
        boolean withCells = !chunks.kinds().isEmpty() && cells.cells() <= MAX_CELLS;
        TimeAxis axis = TimeAxis.of(items, contents.states().keySet(), LEFT + 10, withCells ? cells.width() : LEAST);
        double right = axis.right() + LanePart.room(trace.stuck()) + 10;
        Legend legend = new Legend(call, schedule, withCells, withSignals);
        List<String> told = told(chunks, withCells);
        double top = Legend.TOP + legend.height() + told.size() * 15 + 30;
        Lanes lanes = new Lanes(schedule, top);
        double bottom = lanes.bottom() + (withCells ? 36 + cells.height(call.ranks()) : 10);

        String head = schedule.algorithm() + ", " + call;
        svg.text("head", 8, 20, head);
        legend.draw(svg);
        for (int line = 0; line < told.size(); line++) {
            svg.text("told", 8, Legend.TOP + legend.height() + 15 * line + 10, told.get(line));
        }
        drawMoments(contents, axis, top, bottom, svg);
        new LanePart(schedule, items, axis, lanes, chunks, new Marks(findings), svg)
                .draw(trace.stuck(), withSignals, LEFT, right);
        if (withCells) {
            svg.text("part", 8, lanes.bottom() + 26, "What each chunk holds: whose inputs");
            cells.draw(call.ranks(), axis, LEFT, lanes.bottom() + 32, svg);
        }
        double texts = Math.max(head.length() * 9.5 + 16, Math.max(legend.width(), widest(told)));
        return new double[] {Math.max(right + 10, texts), bottom + 6};
    }

    private void drawMoments(Contents contents, TimeAxis axis, double top, double bottom, Svg svg) {
        double free = 0;
        String before = "";
        for (long moment : contents.states().keySet()) {
            double x = axis.at(moment);
            svg.line("grid", x, top - 4, x, bottom);
            String text = LanePart.micros(moment);
            if (x >= free && !text.equals(before)) {
                svg.text("time", x, top - 8, text);
                free = x + 52;
                before = text;
            }
        }
    }

    private static double widest(List<String> told) {
        return told.stream().mapToInt(String::length).max().orElse(0) * 6.3 + 20;
    }

    /** What is wrong, and what the picture leaves out. */
    private List<String> told(Chunks chunks, boolean withCells) {
        List<String> lines = new ArrayList<>();
        findings.stream().limit(MAX_TOLD).forEach(each -> lines.add(shortened(each.kind() + ": " + each.text())));
        if (findings.size() > MAX_TOLD) {
            lines.add("... and " + (findings.size() - MAX_TOLD) + " more findings");
        }
        if (!withCells && !chunks.kinds().isEmpty()) {
            lines.add("What the chunks hold is left out: there are too many of them.");
        }
        chunks.tooFine().forEach(kind -> lines.add("Not shown is what " + kind + " holds: it has too many parts."));
        return lines;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + " ...";
    }
}
