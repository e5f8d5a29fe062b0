package org.rankunit.coll.verify;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.Cost;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.verify.finding.Finding;
import org.rankunit.coll.verify.finding.FindingKind;

/**
 * What is known of a schedule after it was verified.
 *
 * @param algorithm its name
 * @param tasks of all ranks
 * @param cost as counted
 * @param sameEveryRun whether the result has the same bits in every run: no two reductions into the same bytes were unordered
 * @param sameOnAllRanks whether all ranks have the same bits, of collectives where they have the same elements
 * @param inRankOrder whether elements are reduced in the order of the ranks: {@code ((x0 op x1) op x2)} or with other parentheses
 * @param findings the first ones of each kind; empty if the schedule is correct
 * @param counts how many findings there were of each kind
 * @param bySymmetry how it was verified if not all ranks were run; empty if they were
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Verification(
        String algorithm,
        CollectiveCall call,
        long tasks,
        Cost cost,
        boolean sameEveryRun,
        boolean sameOnAllRanks,
        boolean inRankOrder,
        List<Finding> findings,
        Map<FindingKind, Integer> counts,
        Optional<SymmetryProof> bySymmetry) {

    public Verification {
        findings = List.copyOf(findings);
        counts = Map.copyOf(counts);
    }

    /** Whether nothing was found. */
    public boolean isCorrect() {
        return findings.isEmpty();
    }

    /** Whether no finding {@linkplain FindingKind#isOfSafety() is of safety}. */
    public boolean isSafe() {
        return counts.keySet().stream().noneMatch(FindingKind::isOfSafety);
    }

    /** Describe all findings for people, one paragraph each. */
    public String report() {
        int all = counts.values().stream().mapToInt(each -> each).sum();
        StringBuilder text = new StringBuilder(algorithm + ", " + call + ": ");
        text.append(
                isCorrect()
                        ? "correct" + bySymmetry.map(proof -> ", " + proof).orElse("")
                        : all + (all == 1 ? " finding" : " findings"));
        for (Finding finding : findings) {
            text.append("\n  ").append(finding);
        }
        int more = all - findings.size();
        return text.append(more > 0 ? "\n  ... and " + more + " more of these kinds" : "")
                .toString();
    }
}
