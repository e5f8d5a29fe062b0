package org.rankunit.engine.report.plot;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Curves over sizes, on an axis of powers of two: as a drawing, or as a page that also has the numbers as a table. Neither needs
 * anything else.
 *
 * @param title of the drawing and the page
 * @param across what the sizes are
 * @param up what the values are
 */
public record Plot(String title, String across, String up, List<Curve> curves) {

    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { font: 14px/1.5 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; margin: 24px; max-width: 960px; }
            h1 { font-size: 18px; }
            svg .title { display: none; }
            figure { margin: 0 0 24px; overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            caption { text-align: left; padding-bottom: 6px; }
            th, td { border-bottom: 1px solid #8888; padding: 3px 12px 3px 0; text-align: right; }
            """;

    public Plot {
        curves = List.copyOf(curves);
    }

    /** Draw the curves alone. */
    public String svg() {
        return new Drawing(this).svg();
    }

    /** Draw the curves, with a table of all numbers below. */
    public String page() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%1$s</title>
                <style>
                %2$s</style>
                </head>
                <body>
                <main>
                <h1>%1$s</h1>
                <figure>
                %3$s</figure>
                %4$s</main>
                </body>
                </html>
                """.formatted(text(title), STYLE, svg(), table());
    }

    private String table() {
        StringBuilder table = new StringBuilder("<table>\n<caption>" + text(up) + "</caption>\n<thead><tr>");
        table.append("<th scope=\"col\">").append(text(across)).append("</th>");
        curves.forEach(curve ->
                table.append("<th scope=\"col\">").append(text(curve.name())).append("</th>"));
        table.append("</tr></thead>\n<tbody>\n");
        for (long size : sizes()) {
            table.append("<tr><th scope=\"row\">")
                    .append(String.format(Locale.ROOT, "%,d", size))
                    .append("</th>");
            curves.forEach(curve -> table.append("<td>")
                    .append(valueAt(curve, size)
                            .map(value -> String.format(Locale.ROOT, "%.3f", value))
                            .orElse(""))
                    .append("</td>"));
            table.append("</tr>\n");
        }
        return table.append("</tbody>\n</table>\n").toString();
    }

    private static Optional<Double> valueAt(Curve curve, long size) {
        return curve.points().stream()
                .filter(point -> point.size() == size)
                .map(Curve.Point::value)
                .findFirst();
    }

    /** Get all sizes of all curves, the smallest one first. */
    TreeSet<Long> sizes() {
        return curves.stream()
                .flatMap(curve -> curve.points().stream())
                .map(Curve.Point::size)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    double largestValue() {
        return curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Curve.Point::value)
                .max()
                .orElse(0);
    }

    /** Escapes a text for a page or a drawing. */
    static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
