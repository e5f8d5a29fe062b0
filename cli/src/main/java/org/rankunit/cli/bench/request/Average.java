package org.rankunit.cli.bench.request;

import java.util.List;
import org.rankunit.cli.pool.UsageException;

/** Which of the ranks' times is the time of a measurement, numbered as in nccl-tests. */
public enum Average {
    RANK_0(0),
    MEAN(1),
    MIN(2),
    MAX(3);

    private final int number;

    Average(int number) {
        this.number = number;
    }

    /**
     * Read {@code --average}.
     *
     * @throws UsageException if there is no such number
     */
    public static Average numbered(int number) {
        return List.of(values()).stream()
                .filter(each -> each.number == number)
                .findFirst()
                .orElseThrow(() -> new UsageException("--average = " + number
                        + ": expected 0 (rank 0), 1 (mean of all ranks), 2 (least) or 3 (most)."));
    }

    /** Choose from, or combine, the times of all ranks. */
    public double of(List<Double> micros) {
        return switch (this) {
            case RANK_0 -> micros.get(0);
            case MEAN -> micros.stream().mapToDouble(each -> each).average().orElse(0);
            case MIN -> micros.stream().mapToDouble(each -> each).min().orElse(0);
            case MAX -> micros.stream().mapToDouble(each -> each).max().orElse(0);
        };
    }
}
