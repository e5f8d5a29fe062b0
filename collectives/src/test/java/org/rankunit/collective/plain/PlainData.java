package org.rankunit.collective.plain;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.call.Reduction;

/** Inputs of 32-bit integers that differ for each rank and element, and the outputs that a collective demands of them. */
public final class PlainData {

    private PlainData() {}

    /** The input of a rank. */
    public static int[] input(CollectiveCall call, int rank) {
        int elements = Math.toIntExact(call.inputBytes(rank) / Integer.BYTES);
        return IntStream.range(0, elements)
                .map(i -> (rank + 1) * 0x9E3779B9 + i * 0x85EBCA6B)
                .toArray();
    }

    /** What the output of a rank must hold. */
    public static int[] expected(CollectiveCall call, int rank) {
        int[] output = new int[Math.toIntExact(call.outputBytes(rank) / Integer.BYTES)];
        for (Demand demand : call.demands(rank)) {
            int from = Math.toIntExact(demand.output().from() / Integer.BYTES);
            int input = Math.toIntExact(demand.inputFrom() / Integer.BYTES);
            int count = Math.toIntExact(demand.output().bytes() / Integer.BYTES);
            List<int[]> sources = demand.source() == Demand.ALL
                    ? IntStream.range(0, call.ranks())
                            .mapToObj(each -> input(call, each))
                            .toList()
                    : List.of(input(call, demand.source()));
            for (int i = 0; i < count; i++) {
                int at = input + i;
                output[from + i] = sources.stream()
                        .map(each -> each[at])
                        .reduce((one, other) -> reduced(call.reduction(), one, other))
                        .orElseThrow();
            }
        }
        return output;
    }

    static int reduced(Reduction reduction, int one, int other) {
        return switch (reduction) {
            case SUM -> one + other;
            case PROD -> one * other;
            case MAX -> Math.max(one, other);
            case MIN -> Math.min(one, other);
        };
    }
}
