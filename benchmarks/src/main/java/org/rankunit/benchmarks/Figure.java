package org.rankunit.benchmarks;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param goal the most it may be, or not a number where it is only recorded
 * @param peer name of what was measured beside it, or {@code null}
 * @param peerValue the peer's figure, or {@code null} where the peer is absent
 * @param required whether the suite has failed if the goal is missed
 */
record Figure(
        String name,
        double value,
        String unit,
        double goal,
        @Nullable String peer,
        @Nullable Double peerValue,
        boolean required) {

    Figure(String name, double value, String unit, double goal, @Nullable String peer, @Nullable Double peerValue) {
        this(name, value, unit, goal, peer, peerValue, false);
    }

    /** Of what must never happen: this figure, which must be 0. */
    Figure mustBeZero() {
        return new Figure(name, value, unit, 0, peer, peerValue, true);
    }

    boolean hasFailed() {
        return required && !ok();
    }

    boolean ok() {
        return Double.isNaN(goal) || value <= goal;
    }

    String row() {
        String against = peer == null
                ? ""
                : peerValue == null
                        ? peer + ": absent"
                        : String.format(Locale.ROOT, "%s %.3f", peer, peerValue)
                                + (peerValue == 0 ? "" : String.format(Locale.ROOT, ", ratio %.2f", value / peerValue));
        String judged = Double.isNaN(goal)
                ? "recorded"
                : String.format(Locale.ROOT, "goal %8.3f  %s", goal, ok() ? "ok" : required ? "FAILED" : "MISS");
        return String.format(Locale.ROOT, "%-46s %9.3f %-3s  %-20s %s", name, value, unit, judged, against)
                .stripTrailing();
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"name\": \"%s\", \"value\": %.4f, \"unit\": \"%s\", \"goal\": %s, \"peer\": %s, \"peerValue\": %s,"
                        + " \"ratio\": %s, \"ok\": %s}",
                name,
                value,
                unit,
                Double.isNaN(goal) ? "null" : String.format(Locale.ROOT, "%.4f", goal),
                peer == null ? "null" : "\"" + peer + "\"",
                peerValue == null ? "null" : String.format(Locale.ROOT, "%.4f", peerValue),
                peerValue == null || peerValue == 0 ? "null" : String.format(Locale.ROOT, "%.4f", value / peerValue),
                ok());
    }
}
