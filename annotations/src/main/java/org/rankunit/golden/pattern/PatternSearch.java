package org.rankunit.golden.pattern;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.RankValues;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Samples;

/**
 * Look for the pattern that explains all differing elements.
 *
 * <p>A few samples decide which patterns are worth a closer look; those are then checked against every differing element,
 * in one pass. A search therefore costs about as much as a comparison, whatever the number of patterns. What {@link Chance} could have
 * made is not reported.
 */
@API(status = INTERNAL, since = "0.1")
public final class PatternSearch {

    /** Fewer mismatches fit almost any pattern; they count only if every element of the output differs. */
    private static final int ENOUGH = 3;

    private final Comparison comparison;
    private final Mismatches mismatches;
    private final Samples samples;
    private final @Nullable RankValues ranks;
    private final boolean filled;
    private final int[] shape;

    /**
     * Prepare a search.
     *
     * @param ranks what other ranks should have, if that is known
     * @param filled whether the output had the pattern of {@link NeverWritten} before the test
     * @param shape the extents of the output
     */
    public PatternSearch(
            Comparison comparison, Mismatches mismatches, @Nullable RankValues ranks, boolean filled, int[] shape) {
        this.comparison = comparison;
        this.mismatches = mismatches;
        this.samples = mismatches.samples();
        this.ranks = ranks;
        this.filled = filled;
        this.shape = shape;
    }

    /**
     * Get the most informative pattern that explains every differing element.
     *
     * @throws RuntimeException whatever the test's own function throws when it is called for other ranks
     */
    public Optional<MismatchPattern> found() {
        DType type = comparison.expected().type();
        boolean enough = mismatches.count() >= ENOUGH
                || mismatches.count() == comparison.expected().count();
        List<MismatchPattern> left = new ArrayList<>();
        if (filled && (enough || NeverWritten.isUnmistakable(comparison.actual()))) {
            left.add(new NeverWritten(comparison));
        }
        if (enough && type != DType.BOOL) {
            left.addAll(proposals());
        }
        if (left.isEmpty()) {
            return Optional.empty();
        }
        List<Candidate> candidates =
                new ArrayList<>(left.stream().map(Candidate::new).toList());
        List<Candidate> open = decided(candidates);
        if (!open.isEmpty()) {
            comparison.forEachDifference(mismatches.first(), index -> {
                open.removeIf(candidate -> !candidate.explains(index) && candidates.remove(candidate));
                return !open.isEmpty();
            });
        }
        Chance chance = new Chance(comparison, samples);
        return candidates.stream()
                .filter(candidate -> candidate.isFoundOut(chance))
                .map(candidate -> candidate.pattern)
                .findFirst();
    }

    /** Decide about the candidates that native code knows, and return the others. */
    private List<Candidate> decided(List<Candidate> candidates) {
        List<Candidate> open = new ArrayList<>();
        for (Candidate candidate : List.copyOf(candidates)) {
            Optional<Boolean> all = candidate.pattern.explainsAll();
            if (all.isEmpty()) {
                open.add(candidate);
            } else if (all.get()) {
                candidate.explained = mismatches.count();
            } else {
                candidates.remove(candidate);
            }
        }
        return open;
    }

    /** A pattern that has explained all elements so far. */
    private static final class Candidate {

        private final MismatchPattern pattern;
        private int explained;

        Candidate(MismatchPattern pattern) {
            this.pattern = pattern;
        }

        boolean explains(int index) {
            explained += pattern.speaksOf(index) ? 1 : 0;
            return pattern.explains(index);
        }

        boolean isFoundOut(Chance chance) {
            if (pattern instanceof NeverWritten) {
                return true; // so many bits are no chance
            }
            return chance.isExceededBy(pattern, explained)
                    && (!(pattern instanceof ShiftedIndex shift) || shift.agreesWithTheRest());
        }
    }

    /** The most informative pattern first: if several explain the same elements, the first is reported. */
    private List<MismatchPattern> proposals() {
        List<MismatchPattern> proposals = new ArrayList<>();
        if (ranks != null) {
            Computed.ofOthers(comparison, samples, ranks).ifPresent(proposals::add);
            Computed.contribution(comparison, samples, ranks).ifPresent(proposals::add);
        }
        SwappedBlocks.in(comparison, samples, mismatches, shape).ifPresent(proposals::add);
        SwappedColumns.in(comparison, samples, mismatches, shape).ifPresent(proposals::add);
        Computed.flippedSign(comparison, samples).ifPresent(proposals::add);
        Computed.swappedBytes(comparison, samples).ifPresent(proposals::add);
        Computed.truncated(comparison, samples).ifPresent(proposals::add);
        RoundedTo.in(comparison, samples).ifPresent(proposals::add);
        // The message already reports the same value everywhere, which is also a shift, an offset and a factor of
        // others.
        if (!mismatches.haveOneActual() && mismatches.count() >= ENOUGH) {
            Transposed.in(comparison, samples, shape).ifPresent(proposals::add);
            Computed.reversed(comparison, samples).ifPresent(proposals::add);
            Optional<ShiftedIndex> shift = ShiftedIndex.in(comparison, samples, mismatches);
            shift.map(ShiftedIndex::wrapping).ifPresent(proposals::add);
            offset().ifPresent(proposals::add);
            factor().ifPresent(proposals::add);
            shift.ifPresent(proposals::add);
            SmallSteps.in(comparison, samples, mismatches).ifPresent(proposals::add);
        }
        return proposals;
    }

    private Optional<MismatchPattern> offset() {
        return comparison.expected().type().isFloating()
                ? ConstantOffset.in(comparison, samples)
                : IntegerOffset.in(comparison, samples);
    }

    private Optional<MismatchPattern> factor() {
        return comparison.expected().type().isFloating()
                ? ConstantFactor.in(comparison, samples)
                : IntegerFactor.in(comparison, samples);
    }
}
