package org.rankunit.benchmarks.measure;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param goal the most it may be, or not a number where it is only recorded
 * @param ofPeer whether the goal is for the ratio to the peer's figure, not for the figure itself
 * @param peer name of what was measured beside it, or {@code null}
 * @param peerValue the peer's figure, or {@code null} where the peer is absent
 * @param required whether the suite has failed if the goal is missed
 */
public record Figure(
        String name,
        double value,
        String unit,
        double goal,
        boolean ofPeer,
        @Nullable String peer,
        @Nullable Double peerValue,
        boolean required) {

    public Figure(
            String name, double value, String unit, double goal, @Nullable String peer, @Nullable Double peerValue) {
        this(name, value, unit, goal, false, peer, peerValue, false);
    }

    /** A figure whose ratio to its peer's counts: on a machine that others use too, that is what two runs have in common. */
    public static Figure ratio(
            String name, double value, String unit, double goal, String peer, @Nullable Double peerValue) {
        return new Figure(name, value, unit, goal, true, peer, peerValue, false);
    }

    /** Of what must never happen: this figure, which must be 0. */
    public Figure mustBeZero() {
        return new Figure(name, value, unit, 0, false, peer, peerValue, true);
    }

    public boolean hasFailed() {
        return required && !ok();
    }

    /** Whether the goal holds; it does not where the peer is absent that it refers to. */
    public boolean ok() {
        double measured = ofPeer ? ratio() : value;
        return Double.isNaN(goal) || measured <= goal;
    }

    private double ratio() {
        return peerValue == null || peerValue == 0 ? Double.NaN : value / peerValue;
    }

    public String row() {
        return String.format(Locale.ROOT, "%-46s %9.3f %-3s  %-26s %s", name, value, unit, judgement(), against())
                .stripTrailing();
    }

    private String judgement() {
        if (Double.isNaN(goal)) {
            return "recorded";
        }
        String verdict = ok() ? "ok" : ofPeer && peerValue == null ? "not measured" : required ? "FAILED" : "MISS";
        return String.format(Locale.ROOT, "goal %s%8.3f  %s", ofPeer ? "ratio " : "", goal, verdict);
    }

    private String against() {
        if (peer == null) {
            return "";
        } else if (peerValue == null) {
            return peer + ": absent";
        }
        String measured = String.format(Locale.ROOT, "%s %.3f", peer, peerValue);
        return Double.isNaN(ratio()) ? measured : measured + String.format(Locale.ROOT, ", ratio %.3f", ratio());
    }

    public String json() {
        return String.format(
                Locale.ROOT,
                "{\"name\": \"%s\", \"value\": %.4f, \"unit\": \"%s\", \"goal\": %s, \"goalOf\": \"%s\", \"peer\": %s,"
                        + " \"peerValue\": %s, \"ratio\": %s, \"ok\": %s}",
                name,
                value,
                unit,
                number(goal),
                ofPeer ? "ratio" : "value",
                peer == null ? "null" : "\"" + peer + "\"",
                peerValue == null ? "null" : number(peerValue),
                number(ratio()),
                ok());
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.4f", value);
    }
}
