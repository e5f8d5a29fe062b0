package org.rankunit.cli.bench.request;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.rankunit.DType;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.Reduction;

/**
 * What is to be measured, as the command line says it.
 *
 * @param iterations that are timed
 * @param warmups runs of every size before any is timed
 * @param algorithms names or families; empty for what {@code Rules} chooses
 * @param classPath of the user's algorithms
 * @param timeout of bring-up, and of each measurement
 */
public record BenchRequest(
        Collective collective,
        int ranks,
        Sizes sizes,
        int iterations,
        int warmups,
        boolean check,
        Average average,
        List<DType> types,
        List<Reduction> reductions,
        List<Integer> roots,
        List<String> algorithms,
        List<Path> classPath,
        Duration timeout) {

    private static final int MAX_RANKS = 64;

    public BenchRequest {
        require(ranks >= 1 && ranks <= MAX_RANKS, "--ranks = " + ranks + ": expected 1 to " + MAX_RANKS + " ranks.");
        require(iterations >= 1, "--iters = " + iterations + ": expected 1 or more.");
        require(warmups >= 0, "--warmup_iters = " + warmups + ": expected 0 or more.");
        require(
                timeout.toSeconds() >= 1 && timeout.compareTo(Duration.ofDays(1)) <= 0,
                "--timeout = " + timeout.toSeconds() + ": expected 1 to 86400 seconds.");
        types = List.copyOf(types);
        reductions = List.copyOf(reductions);
        roots = List.copyOf(roots);
        algorithms = List.copyOf(algorithms);
        classPath = List.copyOf(classPath);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new UsageException(otherwise);
        }
    }

    /**
     * Find a collective that has data.
     *
     * @throws UsageException if there is none of this name
     */
    public static Collective collective(String name) {
        List<Collective> all = List.of(Collective.values()).stream()
                .filter(each -> each != Collective.BARRIER && each != Collective.SEND_RECV)
                .toList();
        return all.stream()
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("There is no collective \"" + name + "\". Give one of "
                        + String.join(
                                ", ", all.stream().map(Collective::toString).toList()) + "."));
    }
}
