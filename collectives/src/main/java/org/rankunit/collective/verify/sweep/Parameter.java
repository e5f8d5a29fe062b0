package org.rankunit.collective.verify.sweep;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What differs between the calls that a sweep verifies, beside the number of ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Parameter {
    TYPE("types"),
    COUNT("elements"),
    DIVISION("parts"),
    ROOT("roots"),
    REDUCTION("reductions"),
    SERVERS("servers"),
    PLACE(""),
    MEMORY("buffers in");

    private final String text;

    Parameter(String text) {
        this.text = text;
    }

    /** Returns what stands before its values, such as {@code "types"}; empty if they say it. */
    @Override
    public String toString() {
        return text;
    }
}
