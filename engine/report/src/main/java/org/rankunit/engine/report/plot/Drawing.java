package org.rankunit.engine.report.plot;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A {@link Plot} as SVG. */
final class Drawing {

    private static final int WIDTH = 860;
    private static final int LEFT = 76;
    private static final int TOP = 44;
    private static final int INSIDE_WIDTH = 750;
    private static final int INSIDE_HEIGHT = 340;
    private static final int LEGEND_TOP = TOP + INSIDE_HEIGHT + 62;
    private static final int LEGEND_LINE = 20;
    private static final int MAX_SIZES = 12;
    private static final int MAX_VALUES = 6;

    /** Also told apart without colours, by their dashes; both are readable on white and on black. */
    private static final List<String> COLOURS =
            List.of("#3674b5", "#c2571a", "#4a9c2d", "#a34fae", "#8a7a00", "#0d9488", "#d1435b", "#6b7280");

    private static final List<String> DASHES = List.of("none", "7 3", "2 3", "9 3 2 3", "12 4");

    private static final String STYLE = """
            text { font: 12px system-ui, "Noto Sans", "DejaVu Sans", sans-serif; fill: #1c2128; }
            .title { font-size: 15px; font-weight: 600; }
            .grid { stroke: #8886; }
            @media (prefers-color-scheme: dark) { text { fill: #dfe4ea; } }
            """;

    private final Plot plot;
    private final StringBuilder svg = new StringBuilder();
    private final double firstPower;
    private final double lastPower;
    private final double step;
    private final double top;

    Drawing(Plot plot) {
        this.plot = plot;
        this.firstPower = plot.sizes().isEmpty()
                ? 0
                : Math.floor(log2((double) plot.sizes().first()));
        this.lastPower = plot.sizes().isEmpty()
                ? 1
                : Math.max(firstPower + 1, Math.ceil(log2((double) plot.sizes().last())));
        this.step = step(plot.largestValue() / MAX_VALUES);
        this.top = Math.max(step, Math.ceil(plot.largestValue() / step) * step);
    }

    private static double log2(double number) {
        return Math.log(number) / Math.log(2);
    }

    /** 1, 2 or 5 times a power of ten, and no less than asked for. */
    private static double step(double least) {
        if (!(least > 0)) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (int times : List.of(1, 2, 5)) {
            if (times * power >= least) {
                return times * power;
            }
        }
        return 10 * power;
    }

    String svg() {
        int height = LEGEND_TOP + LEGEND_LINE * plot.curves().size();
        svg.append(String.format(
                Locale.ROOT,
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" \
                aria-labelledby="plot-title plot-desc">
                <title id="plot-title">%s</title>
                <desc id="plot-desc">%s over %s, one curve for each of: %s</desc>
                <style>
                %s</style>
                <text class="title" x="%d" y="24">%s</text>
                """,
                WIDTH,
                height,
                WIDTH,
                height,
                Plot.text(plot.title()),
                Plot.text(plot.up()),
                Plot.text(plot.across()),
                Plot.text(plot.curves().stream().map(Curve::name).collect(Collectors.joining("; "))),
                STYLE,
                LEFT,
                Plot.text(plot.title())));
        axes();
        for (int i = 0; i < plot.curves().size(); i++) {
            curve(plot.curves().get(i), COLOURS.get(i % COLOURS.size()), DASHES.get(i % DASHES.size()), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void axes() {
        int bottom = TOP + INSIDE_HEIGHT;
        int every = (int) Math.max(1, Math.ceil((lastPower - firstPower) / MAX_SIZES));
        for (int power = (int) firstPower; power <= lastPower; power += every) {
            double x = x(Math.pow(2, power));
            line(x, TOP, x, bottom);
            label(x, bottom + 18, "middle", bytes(power));
        }
        for (int i = 0; i * step <= top * 1.0001; i++) {
            double y = y(i * step);
            line(LEFT, y, LEFT + INSIDE_WIDTH, y);
            label(LEFT - 8, y + 4, "end", number(i * step));
        }
        label(LEFT + INSIDE_WIDTH / 2.0, bottom + 42, "middle", Plot.text(plot.across()) + " (logarithmic)");
        svg.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
                TOP + INSIDE_HEIGHT / 2,
                Plot.text(plot.up())));
    }

    private void curve(Curve curve, String colour, String dashes, int number) {
        String path = curve.points().stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", x((double) point.size()), y(point.value())))
                .collect(Collectors.joining(" "));
        svg.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>%n",
                path,
                colour,
                dashes));
        for (Curve.Point point : curve.points()) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %,d: %.3f</title></circle>%n",
                    x((double) point.size()),
                    y(point.value()),
                    colour,
                    Plot.text(curve.name()),
                    point.size(),
                    point.value()));
        }
        int y = LEGEND_TOP + number * LEGEND_LINE;
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\""
                        + " stroke-dasharray=\"%s\"/>%n",
                LEFT,
                LEFT + 36,
                y,
                y,
                colour,
                dashes));
        label(LEFT + 44, y + 4, "start", Plot.text(curve.name()));
    }

    private void line(double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private void label(double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }

    private double x(double size) {
        return LEFT + (log2(size) - firstPower) / (lastPower - firstPower) * INSIDE_WIDTH;
    }

    private double y(double value) {
        return TOP + INSIDE_HEIGHT * (1 - value / top);
    }

    /** 2 to the power of this, as in {@code 64K}. */
    private static String bytes(int power) {
        List<String> units = List.of("", "K", "M", "G", "T", "P");
        return (1 << (power % 10)) + units.get(Math.min(power / 10, units.size() - 1));
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.replaceAll("\\.?0+$", "").isEmpty() ? "0" : text.replaceAll("\\.?0+$", "");
    }
}
