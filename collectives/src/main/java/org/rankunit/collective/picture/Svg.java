package org.rankunit.collective.picture;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes elements of SVG, all text escaped. */
final class Svg {

    private final StringBuilder out = new StringBuilder();

    /** Write text between elements or inside an attribute; characters that XML does not have become question marks. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(each -> {
            switch (each) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isAllowed(each) ? each : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int each) {
        return each == '\n'
                || each == '\t'
                || (each >= ' ' && each <= 0xD7FF)
                || (each >= 0xE000 && each <= 0xFFFD)
                || each >= 0x10000;
    }

    /** Write a number with at most one digit after the point, the same everywhere. */
    static String number(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** Begin a group; what is written until {@link #close} belongs to it. */
    void open(String look, String title) {
        out.append("<g class=\"").append(escaped(look)).append("\">");
        title(title);
    }

    void close() {
        out.append("</g>\n");
    }

    private void title(String title) {
        if (!title.isEmpty()) {
            out.append("<title>").append(escaped(title)).append("</title>");
        }
    }

    void box(String look, double x, double y, double width, double height, String title) {
        out.append("<rect class=\"").append(escaped(look)).append("\" x=\"").append(number(x));
        out.append("\" y=\"").append(number(y)).append("\" width=\"").append(number(Math.max(0, width)));
        out.append("\" height=\"").append(number(height)).append('"');
        if (title.isEmpty()) {
            out.append("/>");
        } else {
            out.append('>');
            title(title);
            out.append("</rect>");
        }
        out.append('\n');
    }

    void text(String look, double x, double y, String text) {
        out.append("<text class=\"").append(escaped(look)).append("\" x=\"").append(number(x));
        out.append("\" y=\"").append(number(y)).append("\">").append(escaped(text));
        out.append("</text>\n");
    }

    /** Draw a line from one point to another. */
    void line(String look, double x1, double y1, double x2, double y2) {
        path(look, "M" + point(x1, y1) + "L" + point(x2, y2));
    }

    /** Draw a line with a tip at its end. */
    void arrow(double x1, double y1, double x2, double y2) {
        double length = Math.max(1, Math.hypot(x2 - x1, y2 - y1));
        double dx = (x2 - x1) / length;
        double dy = (y2 - y1) / length;
        double x = x2 - 8 * dx;
        double y = y2 - 8 * dy;
        line("line", x1, y1, x, y);
        path(
                "tip",
                "M" + point(x2, y2) + "L" + point(x - 3.5 * dy, y + 3.5 * dx) + "L" + point(x + 3.5 * dy, y - 3.5 * dx)
                        + "Z");
    }

    private static String point(double x, double y) {
        return number(x) + " " + number(y);
    }

    private void path(String look, String way) {
        out.append("<path class=\"").append(escaped(look)).append("\" d=\"").append(way);
        out.append("\"/>\n");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
