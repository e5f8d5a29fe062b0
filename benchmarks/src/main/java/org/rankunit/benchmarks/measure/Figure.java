package org.rankunit.benchmarks.measure;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param goal the most it may be, or the least, or not a number where it is only recorded
 * @param ofPeer whether the goal is for the ratio to the peer's figure, not for the figure itself
 * @param peer name of what was measured beside it, or {@code null}
 * @param peerValue the peer's figure, or {@code null} where the peer is absent
 * @param required whether the suite has failed if the goal is missed
 * @param atLeast whether the goal is the least that is wanted
 * @param spread of the values of which this is the median, or {@code null}
 * @param peerSpread the same of the peer, or {@code null}
 */
public record Figure(
        String name,
        double value,
        String unit,
        double goal,
        boolean ofPeer,
        @Nullable String peer,
        @Nullable Double peerValue,
        boolean required,
        boolean atLeast,
        @Nullable Spread spread,
        @Nullable Spread peerSpread) {

    /** Half of all values lie between these. */
    public record Spread(double low, double high) {

        static @Nullable Spread of(List<Double> values) {
            return values.isEmpty() ? null : new Spread(Quantile.of(values, 0.25), Quantile.of(values, 0.75));
        }

        String inWords() {
            return String.format(Locale.ROOT, " [%.3f, %.3f]", low, high);
        }
    }

    public Figure(
            String name, double value, String unit, double goal, @Nullable String peer, @Nullable Double peerValue) {
        this(name, value, unit, goal, false, peer, peerValue, false, false, null, null);
    }

    /** A figure whose ratio to its peer's counts: on a machine that others use too, that is what two runs have in common. */
    public static Figure ratio(
            String name, double value, String unit, double goal, String peer, @Nullable Double peerValue) {
        return new Figure(name, value, unit, goal, true, peer, peerValue, false, false, null, null);
    }

    /** Of what must never happen: this figure, which must be 0. */
    public Figure mustBeZero() {
        return new Figure(name, value, unit, 0, false, peer, peerValue, true, false, spread, peerSpread);
    }

    /** The goal is the least that is wanted, of this figure or of its ratio. */
    public Figure orMore() {
        return new Figure(name, value, unit, goal, ofPeer, peer, peerValue, required, true, spread, peerSpread);
    }

    /** It is the median of these values, and the peer's figure that of the others; there are none if the peer is absent. */
    public Figure spreadOf(List<Double> values, List<Double> peerValues) {
        return new Figure(
                name,
                value,
                unit,
                goal,
                ofPeer,
                peer,
                peerValue,
                required,
                atLeast,
                Spread.of(values),
                Spread.of(peerValues));
    }

    public boolean hasFailed() {
        return required && !ok();
    }

    /** Whether the goal holds; it does not where the peer is absent that it refers to. */
    public boolean ok() {
        double measured = ofPeer ? ratio() : value;
        return Double.isNaN(goal) || (atLeast ? measured >= goal : measured <= goal);
    }

    private double ratio() {
        return peerValue == null || peerValue == 0 ? Double.NaN : value / peerValue;
    }

    public String row() {
        String all = spread == null ? "" : spread.inWords().strip() + "  ";
        return String.format(Locale.ROOT, "%-46s %9.3f %-3s  %-26s %s", name, value, unit, judgement(), all + against())
                .stripTrailing();
    }

    private String judgement() {
        if (Double.isNaN(goal)) {
            return "recorded";
        }
        String verdict = ok() ? "ok" : ofPeer && peerValue == null ? "not measured" : required ? "FAILED" : "MISS";
        return String.format(
                Locale.ROOT,
                "goal %s%8.3f  %s",
                ofPeer ? atLeast ? "ratio>" : "ratio " : atLeast ? ">" : "",
                goal,
                verdict);
    }

    private String against() {
        if (peer == null) {
            return "";
        } else if (peerValue == null) {
            return peer + ": absent";
        }
        String measured = String.format(Locale.ROOT, "%s %.3f", peer, peerValue)
                + (peerSpread == null ? "" : peerSpread.inWords());
        return Double.isNaN(ratio()) ? measured : measured + String.format(Locale.ROOT, ", ratio %.3f", ratio());
    }

    public String json() {
        return String.format(
                Locale.ROOT,
                "{\"name\": \"%s\", \"value\": %s, \"low\": %s, \"high\": %s, \"unit\": \"%s\", \"goal\": %s,"
                        + " \"goalIs\": \"%s\", \"goalOf\": \"%s\", \"peer\": %s,"
                        + " \"peerValue\": %s, \"peerLow\": %s, \"peerHigh\": %s, \"ratio\": %s, \"ok\": %s}",
                name,
                number(value),
                low(spread),
                high(spread),
                unit,
                number(goal),
                atLeast ? "least" : "most",
                ofPeer ? "ratio" : "value",
                peer == null ? "null" : "\"" + peer + "\"",
                peerValue == null ? "null" : number(peerValue),
                low(peerSpread),
                high(peerSpread),
                number(ratio()),
                ok());
    }

    private static String low(@Nullable Spread spread) {
        return spread == null ? "null" : number(spread.low());
    }

    private static String high(@Nullable Spread spread) {
        return spread == null ? "null" : number(spread.high());
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.4f", value);
    }
}
