package org.rankunit.engine.merge.collectives;

import java.util.List;
import org.rankunit.engine.protocol.FromRank;

/**
 * How fast a collective was, in the terms of nccl-tests.
 *
 * @param collective the operation
 * @param bytes the size of the call
 * @param micros the mean of the times of the ranks
 * @param algorithmBandwidth in GB/s
 * @param busBandwidth in GB/s; 0 for a barrier
 * @param wrong number of wrong elements of all ranks; -1 if no rank checked its result
 */
public record Measurement(
        String algorithm,
        String collective,
        String type,
        long bytes,
        double micros,
        double algorithmBandwidth,
        double busBandwidth,
        long wrong) {

    private static final double BYTES_PER_MICRO = 1e-3;

    /** @param ranks what each rank has measured of the same call, at least one */
    static Measurement of(String algorithm, List<FromRank.Measured> ranks) {
        FromRank.Measured first = ranks.get(0);
        double micros =
                ranks.stream().mapToDouble(FromRank.Measured::micros).average().orElseThrow();
        double bandwidth = micros > 0 ? first.bytes() / micros * BYTES_PER_MICRO : 0;
        boolean isChecked = ranks.stream().anyMatch(each -> each.wrong() >= 0);
        return new Measurement(
                algorithm,
                first.collective(),
                first.type(),
                first.bytes(),
                micros,
                bandwidth,
                bandwidth * first.busFactor(),
                isChecked
                        ? ranks.stream()
                                .mapToLong(each -> Math.max(0, each.wrong()))
                                .sum()
                        : -1);
    }

    /** Whether it has a bus bandwidth: a barrier has none. */
    boolean hasData() {
        return !collective.equals("barrier");
    }
}
