package org.rankunit.collective.verify.finding;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Findings that are equal but for the numbers of ranks, tasks and bytes: they come from the same lines of the algorithm.
 *
 * @param findings the first ones, at least one
 * @param count of all of them
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Cause(List<Finding> findings, int count) {

    public Cause {
        findings = List.copyOf(findings);
    }

    public FindingKind kind() {
        return findings.get(0).kind();
    }

    /** Returns the first finding, and how many there are like it. */
    @Override
    public String toString() {
        return findings.get(0) + (count > 1 ? "\n    and " + (count - 1) + " more like it" : "");
    }
}
