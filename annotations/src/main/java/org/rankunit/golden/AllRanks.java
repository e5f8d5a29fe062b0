package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.internal.numbers.OddRounding;

/**
 * Look at an output of all ranks at once.
 *
 * <pre>{@code
 * AllRanks.requireBitIdentical("output", rank, rank.buffer("output"));
 * Golden.of("gathered", whole).verify(AllRanks.concatenation(rank, rank.buffer("part")));
 * Golden.of("total", total).verify(AllRanks.sum(rank, rank.buffer("partial")));
 * }</pre>
 *
 * <p>Each of these is a collective call, as {@link RankContext#allGather}: every rank must make it, in the same order. The buffer
 * counts as compared with a golden.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class AllRanks {

    private AllRanks() {}

    /**
     * Compare the bits of a buffer on all ranks. What most ranks hold is expected on the others; of two equally large groups, that
     * of the lowest rank is. Only ranks that differ from it fail.
     *
     * @param name the name of the output in messages; not blank
     * @throws GoldenMismatchError if this rank holds other bits than most ranks
     * @throws IllegalStateException if the ranks have no communicator
     */
    public static GoldenSummary requireBitIdentical(String name, RankContext rank, RankBuffer buffer) {
        List<Values> all = gathered(rank, buffer);
        Map<Values, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            groups.computeIfAbsent(all.get(i), values -> new ArrayList<>()).add(i);
        }
        Map.Entry<Values, List<Integer>> most = groups.entrySet().iterator().next();
        for (Map.Entry<Values, List<Integer>> group : groups.entrySet()) {
            most = group.getValue().size() > most.getValue().size() ? group : most;
        }
        return Golden.of(name + ", expected as on " + text(most.getValue()), most.getKey())
                .exactBits()
                .allowEmpty()
                .verify(all.get(rank.rank()));
    }

    private static String text(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /**
     * Join the contents of a buffer on all ranks, in the order of the ranks. They may have different lengths.
     *
     * @throws IllegalArgumentException if they have different types, or together more than 2 GiB
     * @throws IllegalStateException if the ranks have no communicator
     */
    public static Values concatenation(RankContext rank, RankBuffer buffer) {
        List<Values> all = gathered(rank, buffer);
        DType type = typeOf(all, buffer.name());
        long bytes = all.stream()
                .mapToLong(part -> (long) part.count() * type.byteSize())
                .sum();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("buffer '" + buffer.name() + "' has " + bytes
                    + " bytes on all ranks together, more than the 2147483647 that Values can hold.");
        }
        ByteArrayOutputStream joined = new ByteArrayOutputStream((int) bytes);
        all.forEach(part -> joined.writeBytes(part.encode()));
        return Values.decode(type, joined.toByteArray());
    }

    /**
     * Add up the contents of a buffer on all ranks, element by element. Floating elements are added exactly and the sum is
     * rounded once, to their type; {@code FLOAT64} is added in the order of the ranks, and each sum is rounded. Integers are added exactly.
     *
     * @return as many elements, of the same type
     * @throws IllegalArgumentException if types or lengths differ, if the elements are booleans, or if a sum of integers does not fit
     *     their type; the message has the index
     * @throws IllegalStateException if the ranks have no communicator
     */
    public static Values sum(RankContext rank, RankBuffer buffer) {
        List<Values> all = gathered(rank, buffer);
        DType type = typeOf(all, buffer.name());
        int count = all.get(0).count();
        for (Values each : all) {
            if (each.count() != count) {
                throw new IllegalArgumentException(
                        "buffer '" + buffer.name() + "' has " + count + " elements on rank 0 and " + each.count()
                                + " on rank " + all.indexOf(each) + ", so there is no sum.");
            }
        }
        if (type == DType.BOOL) {
            throw new IllegalArgumentException("buffer '" + buffer.name() + "' holds bool, which has no sum.");
        }
        return type.isFloating() ? floatingSum(all, type, count) : IntegerSum.of(all, type, buffer.name());
    }

    private static Values floatingSum(List<Values> all, DType type, int count) {
        return Values.rounded(
                type,
                IntStream.range(0, count)
                        .mapToDouble(i -> sum(
                                all.stream().map(values -> values.doubleAt(i)).toList(), type))
                        .toArray());
    }

    private static double sum(List<Double> elements, DType type) {
        boolean isRoundedAgain = type != DType.FLOAT64 && elements.stream().allMatch(Double::isFinite);
        return isRoundedAgain ? OddRounding.sum(elements) : elements.stream().reduce(0.0, Double::sum);
    }

    private static List<Values> gathered(RankContext rank, RankBuffer buffer) {
        GoldenLog.verifies(buffer);
        return rank.allGather(buffer.read());
    }

    private static DType typeOf(List<Values> all, String name) {
        DType type = all.get(0).type();
        for (int rank = 1; rank < all.size(); rank++) {
            if (all.get(rank).type() != type) {
                throw new IllegalArgumentException("buffer '" + name + "' holds " + type + " on rank 0 and "
                        + all.get(rank).type() + " on rank " + rank + ".");
            }
        }
        return type;
    }
}
