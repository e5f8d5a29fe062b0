package org.rankunit.collective.verify;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.Cost;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.verify.finding.Cause;
import org.rankunit.collective.verify.finding.Finding;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Promise;

/**
 * What is known of a schedule after it was verified.
 *
 * @param algorithm its name
 * @param tasks of all ranks
 * @param cost as counted
 * @param sameEveryRun whether the result has the same bits in every run: no two reductions into the same bytes were unordered
 * @param sameOnAllRanks whether all ranks have the same bits, of collectives where they have the same elements
 * @param inRankOrder whether elements are reduced in the order of the ranks: {@code ((x0 op x1) op x2)} or with other parentheses
 * @param causes of the findings, one for each place in the algorithm; empty if the schedule is correct
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
        List<Cause> causes,
        Map<FindingKind, Integer> counts,
        Optional<SymmetryProof> bySymmetry) {

    public Verification {
        causes = List.copyOf(causes);
        counts = Map.copyOf(counts);
    }

    /** Whether nothing was found. */
    public boolean isCorrect() {
        return causes.isEmpty();
    }

    /** Get the first findings of each cause. */
    public List<Finding> findings() {
        return causes.stream().flatMap(cause -> cause.findings().stream()).toList();
    }

    /** Whether no finding breaks this promise. */
    public boolean keeps(Promise promise) {
        return counts.keySet().stream().noneMatch(kind -> kind.promise() == promise);
    }

    /** Say in a few words what holds: {@code "correct"}, {@code "safe, but does not follow the protocol"}, {@code "not safe"}. */
    public String verdict() {
        if (isCorrect()) {
            return "correct" + bySymmetry.map(proof -> ", " + proof).orElse("");
        }
        if (!keeps(Promise.SAFETY)) {
            return "not safe";
        }
        return keeps(Promise.PROTOCOL) ? "safe, but not as declared" : "safe, but does not follow the protocol";
    }

    /** Describe all findings for people, one paragraph for each cause, and first the one that the others are most likely to follow from. */
    public String report() {
        int all = counts.values().stream().mapToInt(each -> each).sum();
        StringBuilder text = new StringBuilder(algorithm + ", " + call + ": " + verdict());
        if (!isCorrect()) {
            text.append(": ").append(all).append(all == 1 ? " finding" : " findings");
        }
        for (int i = 0; i < causes.size(); i++) {
            text.append(i == 1 ? "\n  These may follow from it:" : "")
                    .append("\n  ")
                    .append(causes.get(i));
        }
        int more = all - causes.stream().mapToInt(Cause::count).sum();
        return text.append(more > 0 ? "\n  ... and " + more + " more" : "").toString();
    }
}
