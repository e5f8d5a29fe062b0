package org.rankunit.cli.collective;

import java.util.List;
import java.util.stream.LongStream;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.exchange.msccl.MscclAlgorithm;
import org.rankunit.collective.verify.sweep.Selection;

/** Calls for algorithms of files, which are for one number of ranks and for multiples of a count. Other algorithms take any. */
public final class FileCalls {

    /** How often the smallest count is taken: little, a prime number, and so often that there are more than 2 GiB. */
    private static final List<Long> TIMES = List.of(2L, 0L, 1L, 3L, 131L);

    private static final long BEYOND_INT = (1L << (Integer.SIZE - 1)) + 13;

    private FileCalls() {}

    /** Choose the numbers of ranks: that of a file unless others were asked for. */
    public static List<Integer> ranks(CollectiveAlgorithm algorithm, List<Integer> numbers, boolean asked) {
        return algorithm instanceof MscclAlgorithm file && !asked ? List.of(file.ranks()) : numbers;
    }

    /** Choose what is verified: counts that a file can be for unless others were asked for. */
    public static Selection selection(CollectiveAlgorithm algorithm, Selection selection) {
        if (!(algorithm instanceof MscclAlgorithm file) || !selection.counts().isEmpty()) {
            return selection;
        }
        long step = file.countStep();
        Long[] counts = LongStream.concat(
                        TIMES.stream().mapToLong(times -> times * step), LongStream.of((BEYOND_INT / step + 1) * step))
                .boxed()
                .toArray(Long[]::new);
        Selection chosen = selection.withCounts(counts);
        return chosen.roots().isEmpty() ? chosen.withRoots(file.root()) : chosen;
    }

    /**
     * Make a call.
     *
     * @param ranks if the algorithm is not of a file, or if they were asked for
     * @param count the next larger multiple is taken for a file unless this one was asked for
     */
    public static CollectiveCall call(
            CollectiveAlgorithm algorithm, int ranks, boolean ranksAsked, long count, boolean countAsked) {
        if (!(algorithm instanceof MscclAlgorithm file)) {
            return CollectiveCall.of(algorithm.collective(), ranks, DType.FLOAT32, count);
        }
        int number = ranksAsked ? ranks : file.ranks();
        long step = file.countStep();
        CollectiveCall call = CollectiveCall.of(
                file.collective(), number, DType.FLOAT32, countAsked ? count : (count + step - 1) / step * step);
        return call.withRoot(Math.min(file.root(), number - 1)).withInPlace(!file.isForOutOfPlace());
    }
}
