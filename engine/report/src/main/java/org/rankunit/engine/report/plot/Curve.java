package org.rankunit.engine.report.plot;

import java.util.List;

/** A named line through points, which are in the order of their sizes. */
public record Curve(String name, List<Point> points) {

    /** A measurement. */
    public record Point(long size, double value) {}

    public Curve {
        points = List.copyOf(points);
    }
}
