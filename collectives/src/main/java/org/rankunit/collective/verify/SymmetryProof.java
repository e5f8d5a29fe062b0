package org.rankunit.collective.verify;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.rankunit.collective.Symmetry;

/**
 * How a schedule was verified by symmetry: the tasks of other ranks were compared with those of rank 0, and those of rank 0 were
 * verified for all. If not all ranks were compared, the proof is as good as the declaration for those that were not.
 *
 * @param ranks of the call
 * @param compared ranks whose tasks were compared with those of rank 0, in ascending order
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record SymmetryProof(Symmetry symmetry, int ranks, List<Integer> compared) {

    public SymmetryProof {
        compared = List.copyOf(compared);
    }

    /** Whether the tasks of all ranks were compared. */
    public boolean comparedAll() {
        return compared.size() == ranks - 1;
    }

    /** Returns a sentence such as {@code "by cyclic symmetry: rank 0 was verified, and all 127 others were compared with it"}. */
    @Override
    public String toString() {
        String others = comparedAll()
                ? String.format(Locale.ROOT, "all %,d others were", compared.size())
                : String.format(Locale.ROOT, "%,d of %,d others were", compared.size(), ranks - 1);
        String which = comparedAll()
                ? ""
                : " (" + compared.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")";
        return "by " + symmetry.name().toLowerCase(Locale.ROOT) + " symmetry: rank 0 was verified, and " + others
                + " compared with it" + which;
    }
}
