package org.rankunit.engine.merge.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.engine.protocol.FromRank;

/**
 * A collective that a test ran by a schedule.
 *
 * @param tag under which its plan was kept; empty if it was under none
 * @param runs how many runs have begun, on the rank with most
 * @param tasks number of tasks of all ranks in one run
 * @param picture of the first rank that has one, or knows why there is none
 * @param measured what the ranks measured; empty if none did
 */
public record RanCollective(
        String algorithm,
        String call,
        String tag,
        long runs,
        long tasks,
        FromRank.Picture picture,
        List<FromRank.Measured> measured) {

    static RanCollective of(FromRank.RanCollective first) {
        return new RanCollective(
                first.algorithm(),
                first.call(),
                first.tag(),
                first.runs(),
                first.tasks(),
                first.picture(),
                first.measured() == null ? List.of() : List.of(first.measured()));
    }

    RanCollective with(FromRank.RanCollective other) {
        boolean isDecided = !picture.equals(FromRank.RanCollective.NO_PICTURE);
        List<FromRank.Measured> all = new ArrayList<>(measured);
        if (other.measured() != null) {
            all.add(other.measured());
        }
        return new RanCollective(
                algorithm,
                call,
                tag,
                Math.max(runs, other.runs()),
                tasks + other.tasks(),
                isDecided ? picture : other.picture(),
                List.copyOf(all));
    }

    /** What all ranks together measured, if they did. */
    public Optional<Measurement> measurement() {
        return measured.isEmpty() ? Optional.empty() : Optional.of(Measurement.of(algorithm, measured));
    }
}
