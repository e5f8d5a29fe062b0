package org.rankunit.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/** The value below which a share of the measured ones lies. */
public final class Quantile {

    private Quantile() {}

    public static double of(List<Double> values, double q) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(q * (sorted.size() - 1))));
    }
}
