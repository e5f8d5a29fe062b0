package org.rankunit.engine.report.html;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.plot.Curve;
import org.rankunit.engine.report.plot.Plot;

/** The bus bandwidths that a test measured over the sizes of its calls, with a curve for each algorithm and type. */
final class BandwidthPlot {

    private BandwidthPlot() {}

    /** Draw it as SVG; empty if the test measured no algorithm with two sizes. */
    static Optional<String> of(RunReport.TestEntry test) {
        Map<String, List<RunReport.Measured>> measured = test.collectives().stream()
                .filter(each -> each.measured() != null)
                .collect(Collectors.groupingBy(
                        each -> each.algorithm() + ", "
                                + Objects.requireNonNull(each.measured()).type(),
                        TreeMap::new,
                        Collectors.mapping(each -> Objects.requireNonNull(each.measured()), Collectors.toList())));
        List<Curve> curves = measured.entrySet().stream()
                .map(each -> curve(each.getKey(), each.getValue()))
                .toList();
        return curves.stream().anyMatch(BandwidthPlot::hasSizes)
                ? Optional.of(new Plot("", "size in bytes", "bus bandwidth in GB/s", curves).svg())
                : Optional.empty();
    }

    private static Curve curve(String name, List<RunReport.Measured> measured) {
        return new Curve(
                name,
                measured.stream()
                        .filter(each -> each.bytes() > 0)
                        .sorted(Comparator.comparingLong(RunReport.Measured::bytes))
                        .map(each -> new Curve.Point(each.bytes(), each.busbw()))
                        .toList());
    }

    private static boolean hasSizes(Curve curve) {
        return curve.points().stream().map(Curve.Point::size).distinct().count() > 1;
    }
}
