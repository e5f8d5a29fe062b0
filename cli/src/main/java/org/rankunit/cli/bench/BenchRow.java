package org.rankunit.cli.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.rankunit.cli.bench.request.Average;
import org.rankunit.collective.bench.BusBandwidth;

/**
 * A case with what was measured.
 *
 * @param measured by the places of the case
 */
record BenchRow(BenchCase what, Map<Place, Measured> measured) {

    BenchRow {
        measured = Collections.unmodifiableMap(new EnumMap<>(measured));
    }

    /**
     * One half of a line.
     *
     * @param micros time of one run
     * @param wrong elements of all ranks; empty if nothing was checked
     */
    record Measured(double micros, OptionalLong wrong) {

        /** Sums up what each rank says. */
        static Measured of(Average average, List<Measured> ranks) {
            return new Measured(
                    average.of(ranks.stream().map(Measured::micros).toList()),
                    ranks.stream().allMatch(each -> each.wrong().isPresent())
                            ? OptionalLong.of(ranks.stream()
                                    .mapToLong(each -> each.wrong().orElse(0))
                                    .sum())
                            : OptionalLong.empty());
        }
    }

    /** Out of place, where the case is measured so. */
    Measured plotted() {
        return measured.values().iterator().next();
    }

    Optional<Measured> measured(Place place) {
        return Optional.ofNullable(measured.get(place));
    }

    double algorithmBandwidth(Measured measured) {
        return BusBandwidth.algorithm(what.call(), measured.micros());
    }

    double busBandwidth(Measured measured) {
        return BusBandwidth.bus(what.call(), measured.micros());
    }

    static long wrong(List<BenchRow> rows) {
        return rows.stream()
                .flatMap(row -> row.measured().values().stream())
                .mapToLong(each -> each.wrong().orElse(0))
                .sum();
    }

    /** Of all rows, out of place and in place. */
    static double meanBusBandwidth(List<BenchRow> rows) {
        return rows.stream()
                .flatMap(row -> row.measured().values().stream().map(row::busBandwidth))
                .mapToDouble(each -> each)
                .average()
                .orElse(0);
    }
}
