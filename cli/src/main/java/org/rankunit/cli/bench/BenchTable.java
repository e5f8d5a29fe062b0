package org.rankunit.cli.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.rankunit.cli.bench.BenchRow.Measured;
import org.rankunit.cli.bench.request.Types;

/** Rows as text, in the columns of nccl-tests, with the algorithm as one more. Stateless. */
final class BenchTable {

    private static final String NONE = "N/A";

    private BenchTable() {}

    static List<String> head() {
        return List.of(
                "#",
                ("#" + left("", "", "", "", "").substring(1) + "           out-of-place                       in-place")
                        .stripTrailing(),
                "#" + left("size", "count", "type", "redop", "root").substring(1)
                        + half("time", "algbw", "busbw", "#wrong")
                        + half("time", "algbw", "busbw", "#wrong") + "  algorithm",
                ("#" + left("(B)", "(elements)", "", "", "").substring(1) + half("(us)", "(GB/s)", "(GB/s)", "")
                                + half("(us)", "(GB/s)", "(GB/s)", ""))
                        .stripTrailing());
    }

    static String line(BenchRow row) {
        BenchCase what = row.what();
        return left(
                        String.valueOf(what.size()),
                        String.valueOf(what.call().count()),
                        Types.nameOf(what.call().type()),
                        what.shownReduction(),
                        String.valueOf(what.shownRoot()))
                + half(row, row.measured(Place.OUT_OF_PLACE))
                + half(row, row.measured(Place.IN_PLACE))
                + "  " + what.shown();
    }

    static List<String> foot(List<BenchRow> rows) {
        long wrong = BenchRow.wrong(rows);
        return List.of(
                String.format(
                        Locale.ROOT, "# %-20s : %d %s", "Out of bounds values", wrong, wrong == 0 ? "OK" : "FAILED"),
                String.format(Locale.ROOT, "# %-20s : %.6g", "Avg bus bandwidth", BenchRow.meanBusBandwidth(rows)),
                "#");
    }

    private static String half(BenchRow row, Optional<Measured> measured) {
        return measured.map(each -> half(
                        number(each.micros(), 7),
                        number(row.algorithmBandwidth(each), 6),
                        number(row.busBandwidth(each), 6),
                        each.wrong().isPresent() ? String.valueOf(each.wrong().getAsLong()) : NONE))
                .orElseGet(() -> half(NONE, NONE, NONE, NONE));
    }

    /** With as many of two decimals as fit, so that columns stay where they are. */
    static String number(double value, int width) {
        for (int decimals = 2; decimals >= 0; decimals--) {
            String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
            if (text.length() <= width) {
                return text;
            }
        }
        return String.format(Locale.ROOT, "%.1e", value);
    }

    private static String left(String size, String count, String type, String operation, String root) {
        return String.format("%12s  %12s  %8s  %6s  %6s", size, count, type, operation, root);
    }

    private static String half(String time, String algorithm, String bus, String wrong) {
        return String.format("  %7s  %6s  %6s  %6s", time, algorithm, bus, wrong);
    }
}
