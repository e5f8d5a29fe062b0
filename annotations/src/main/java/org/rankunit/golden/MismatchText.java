package org.rankunit.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.compare.ArrayScan;
import org.rankunit.golden.compare.Closeness;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Extremes;
import org.rankunit.golden.compare.Numbers;
import org.rankunit.golden.compare.ShownDifference;
import org.rankunit.golden.compare.Tolerance;
import org.rankunit.golden.compare.Ulps;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Places;
import org.rankunit.golden.pattern.MismatchPattern;

/** Write the message of a failed comparison. */
final class MismatchText {

    private final GoldenSummary summary;
    private final Comparison comparison;
    private final Mismatches mismatches;
    private final Values expected;
    private final Values actual;
    private final DType type;
    private final @Nullable MismatchPattern pattern;
    private final Places places;
    private final String selection;

    /** @param selection what was compared, if it was not everything; else empty */
    MismatchText(
            GoldenSummary summary,
            Comparison comparison,
            Mismatches mismatches,
            Places places,
            @Nullable MismatchPattern pattern,
            String selection) {
        this.summary = summary;
        this.comparison = comparison;
        this.mismatches = mismatches;
        this.expected = comparison.expected();
        this.actual = comparison.actual();
        this.type = expected.type();
        this.pattern = pattern;
        this.places = places;
        this.selection = selection;
    }

    @Override
    public String toString() {
        Table table = new Table();
        addFirst(table);
        addWorst(table);
        addPatterns(table);
        addNans(table);
        addZeros(table);
        addFlushed(table);
        addWithin(table);
        addStatistics(table);
        addTolerance(table);
        if (!selection.isEmpty()) {
            table.add("compared", "only " + selection);
        }
        return summary.name() + ": " + headline() + table;
    }

    /** What the elements show, or, if as many of them differ as may, what a statistic does. */
    private String headline() {
        if (mismatches.count() > summary.allowed() || summary.nonFinite() > 0) {
            return howMany() + places;
        }
        String missed = summary.statistics().stream()
                .filter(statistic -> !statistic.met())
                .map(MismatchText::described)
                .collect(Collectors.joining(", "));
        return mismatches.count() == 0 ? missed : missed + "; " + howMany() + places;
    }

    private static String described(GoldenStatistic statistic) {
        return statistic.name() + ": " + Numbers.rounded(statistic.value()) + ", must be " + statistic.limit();
    }

    private String howMany() {
        int count = expected.count();
        if (mismatches.count() == count) {
            return count == 1 ? "the only element differs" : "all " + count + " elements differ";
        }
        String verb = mismatches.count() == 1 ? " elements differs (" : " elements differ (";
        return mismatches.count() + " of " + count + verb + Numbers.percent(mismatches.count(), count) + ")";
    }

    private void addFirst(Table table) {
        int shown = Math.min(mismatches.count(), Mismatches.FIRST);
        for (int n = 0; n < shown; n++) {
            String label = n > 0 ? "" : mismatches.count() == 1 ? "only" : "first";
            addElement(table, label, mismatches.at(n), false);
        }
    }

    private void addWorst(Table table) {
        if (mismatches.count() == 1 || type == DType.BOOL) {
            return;
        }
        if (mismatches.count() == 0) {
            // A statistic may be missed although the two are equal.
            if (summary.maxAbsoluteIndex() >= 0) {
                addElement(table, "worst", summary.maxAbsoluteIndex(), true);
            }
            return;
        }
        Extremes worst = mismatches.worst();
        boolean same = worst.relativeIndex() == worst.absoluteIndex();
        boolean onlyOne = same || worst.relativeIndex() < 0;
        if (worst.absoluteIndex() >= 0) {
            addElement(table, onlyOne ? "worst" : "worst absolute", worst.absoluteIndex(), same);
        }
        if (!onlyOne) {
            addElement(table, "worst relative", worst.relativeIndex(), true);
        }
    }

    private void addElement(Table table, String label, int index, boolean relative) {
        String place = places.of(index);
        String wanted = "expected " + shown(expected, index);
        String found = "was " + shown(actual, index);
        if (type.isInteger()) {
            table.add(label, place, wanted, found, "difference " + Long.toUnsignedString(comparison.distance(index)));
        } else if (type == DType.BOOL || !(comparison.difference(index) > 0)) {
            // a NaN, or a zero of the other sign
            table.add(label, place, wanted, found);
        } else if (Double.isInfinite(comparison.difference(index))) {
            String allowed = Numbers.rounded(comparison.allowed(index));
            table.add(label, place, wanted, found, "difference Infinity", remark(index, allowed, relative));
        } else {
            ShownDifference shown = ShownDifference.of(comparison, index);
            table.add(
                    label,
                    place,
                    "expected " + shown.expected(),
                    "was " + shown.actual(),
                    "difference " + shown.difference(),
                    remark(index, shown.allowed(), relative));
        }
    }

    /** With its bits if nothing else tells the two apart, as for two NaNs. */
    private String shown(Values values, int index) {
        String text = values.format(index);
        boolean alike = expected.format(index).equals(actual.format(index));
        return alike && comparison.tolerance().bits()
                ? text + " (0x" + Long.toHexString(values.bitsAt(index)) + ")"
                : text;
    }

    private String remark(int index, String allowed, boolean relative) {
        double magnitude = Math.abs(expected.doubleAt(index));
        if (Double.isInfinite(magnitude)) {
            return "";
        }
        String ratio = relative && magnitude > 0
                ? "relative " + Numbers.rounded(comparison.difference(index) / magnitude)
                : "";
        if (Double.isInfinite(comparison.allowed(index))) {
            return ratio.isEmpty() ? "" : "(" + ratio + ")";
        }
        return "(allowed " + allowed + (ratio.isEmpty() ? "" : ", " + ratio) + ")";
    }

    private void addPatterns(Table table) {
        boolean oneActual = mismatches.haveOneActual() && type != DType.BOOL;
        if (oneActual) {
            addSameActual(table);
        }
        if (pattern != null) {
            table.add(oneActual ? "" : pattern.label(), pattern.toString());
        }
    }

    private void addSameActual(Table table) {
        int index = mismatches.first();
        boolean untouched = type.isFloating()
                ? actual.doubleAt(index) == 0 || Double.isNaN(actual.doubleAt(index))
                : actual.longAt(index) == 0;
        boolean isUnexplained = pattern == null
                && !(type.isFloating() && (isZeroOfTheOtherSign(index) || mismatches.flushed() == mismatches.count()));
        String question = untouched && isUnexplained ? ": was that part of the output written?" : "";
        table.add("pattern", "every differing element was " + actual.format(index) + question);
    }

    private void addNans(Table table) {
        if (!type.isFloating()) {
            return;
        }
        Tolerance tolerance = comparison.tolerance();
        boolean anyShows = summary.nonFinite() > 0 || tolerance.nanEqualsNan() || tolerance.bits();
        if (!anyShows) {
            return;
        }
        ArrayScan.Specials specials = comparison.specials();
        List<String> lines = new ArrayList<>();
        if (specials.actualNans().count() > 0) {
            lines.add("actual holds " + specials.actualNans().count() + ", the first at "
                    + places.index(specials.actualNans().first()));
        }
        if (specials.unexpectedNans().count() > 0) {
            lines.add(ofGolden("NaN", specials.unexpectedNans()));
        }
        if (specials.bothNans().count() > 0 && !tolerance.nanEqualsNan() && !tolerance.bits()) {
            lines.add("expected holds " + specials.expectedNans().count()
                    + "; NaN matches nothing unless nanEqualsNan() is set");
        }
        for (int n = 0; n < lines.size(); n++) {
            table.add(n == 0 ? "NaN" : "", lines.get(n));
        }
        if (specials.unexpectedInfinities().count() > 0) {
            table.add("infinity", ofGolden("an infinity", specials.unexpectedInfinities()));
        }
    }

    private String ofGolden(String what, ArrayScan.Kind kind) {
        return "the golden holds " + what + " at " + kind.count() + (kind.count() == 1 ? " element" : " elements")
                + " where the output is finite, the first at " + places.index(kind.first());
    }

    /** With a tolerance of 0 the author may have meant to compare bits. */
    private void addZeros(Table table) {
        Tolerance tolerance = comparison.tolerance();
        boolean bound =
                tolerance.closeness() instanceof Closeness.Within && tolerance.rtol() == 0 && tolerance.atol() == 0;
        if (!type.isFloating() || !(bound || tolerance.bits())) {
            return;
        }
        int zeros = comparison.specials().otherZeros().count();
        if (zeros > 0) {
            table.add(
                    "zeros",
                    (zeros == 1 ? "1 element is a zero" : zeros + " elements are zeros")
                            + " of the other sign, -0.0 for 0.0 or the reverse: equal as numbers, not as bits");
        }
    }

    private boolean isZeroOfTheOtherSign(int index) {
        double wanted = expected.doubleAt(index);
        double found = actual.doubleAt(index);
        return wanted == found && Double.compare(wanted, found) != 0;
    }

    private void addFlushed(Table table) {
        int flushed = mismatches.flushed();
        if (flushed > 0) {
            table.add(
                    "flushed",
                    flushed == 1
                            ? "1 element was 0 where a subnormal number" + below() + " was expected"
                            : flushed + " elements were 0 where subnormal numbers" + below() + " were expected");
        }
    }

    private String below() {
        return " (below " + Numbers.exact(Ulps.smallestNormal(type)) + ")";
    }

    private void addWithin(Table table) {
        int within = summary.bitDifferences() - mismatches.count();
        if (within > 0 && !comparison.tolerance().bits() && mismatches.count() > 0) {
            table.add(
                    "within",
                    (within == 1 ? "1 more element differs" : within + " more elements differ")
                            + ", within the tolerance");
        }
    }

    private void addStatistics(Table table) {
        for (GoldenStatistic statistic : summary.statistics()) {
            table.add(
                    statistic.name(),
                    Numbers.rounded(statistic.value()) + ", must be " + statistic.limit()
                            + (statistic.met() ? "" : ": missed"));
        }
    }

    private void addTolerance(Table table) {
        Tolerance tolerance = comparison.tolerance();
        Closeness closeness = tolerance.closeness();
        boolean exact = closeness.allowedSteps() == 0 && !tolerance.bits();
        String text = !type.isFloating() && exact ? "none: " + type + " is compared exactly" : closeness.text();
        if (tolerance.nanEqualsNan() && type.isFloating()) {
            text += ", NaN equals NaN";
        }
        if (summary.allowed() > 0) {
            text += "; " + summary.allowed() + " elements may exceed it";
        }
        table.add("tolerance", isDefault() ? text : text + " (" + summary.criterion() + ")");
    }

    /** The text of these says all. */
    private boolean isDefault() {
        return comparison.tolerance().bits()
                || summary.criterion().equals(Criterion.close().toString());
    }
}
