package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/** A number over all finite elements of an output that says how far it is from its golden. */
@API(status = INTERNAL, since = "0.1")
public enum Statistic {
    /** Largest relative error. */
    MARE("MARE"),
    /** Mean relative error. */
    MERE("MERE"),
    /** Root of the mean square error. */
    RMSE("RMSE"),
    /** Magnitude of the mean error, relative to the larger of 1 and the expected magnitude. */
    BIAS("mean bias"),
    /** Cosine of the angle between the two arrays, as vectors. */
    COSINE("cosine similarity"),
    /** Number of expected elements near 0 whose error is too large for them. */
    SMALL_ERRORS("errors of small values");

    private final String text;

    Statistic(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
