package org.rankunit.cli.bench.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rankunit.DType;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.bench.ExactData;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.Reduction;

/** Names of element types and reductions, as nccl-tests has them. Stateless. */
public final class Types {

    private static final String ALL = "all";
    /** Names of nccl-tests where they differ from ours; these are printed. */
    private static final Map<String, DType> THEIRS = Map.of(
            "float", DType.FLOAT32,
            "double", DType.FLOAT64,
            "half", DType.FLOAT16,
            "fp8_e4m3", DType.FLOAT8_E4M3FN,
            "fp8_e5m2", DType.FLOAT8_E5M2);

    /** Other names that nccl-tests takes. */
    private static final Map<String, DType> ALIASES = Map.of("char", DType.INT8, "int", DType.INT32);

    private Types() {}

    /** Get the name that the table shows. */
    public static String nameOf(DType type) {
        return THEIRS.entrySet().stream()
                .filter(each -> each.getValue() == type)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(type.toString());
    }

    /**
     * Read {@code --datatype}.
     *
     * @throws UsageException if there is no such type, or the collective cannot reduce it
     */
    public static List<DType> types(String text, Collective collective) {
        List<DType> possible = Stream.of(DType.values())
                .filter(type -> !collective.reduces() || ExactData.isReduced(type))
                .toList();
        if (text.equals(ALL)) {
            return possible.stream().filter(ExactData::isReduced).toList();
        }
        List<DType> types = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            types.add(Stream.of(DType.values())
                    .filter(type ->
                            type.toString().equals(name) || THEIRS.get(name) == type || ALIASES.get(name) == type)
                    .filter(possible::contains)
                    .findFirst()
                    .orElseThrow(() -> new UsageException("--datatype = \"" + name + "\": " + collective
                            + " is measured with " + String.join(", ", names(possible)) + ", or all.")));
        }
        return types;
    }

    private static List<String> names(List<DType> types) {
        return types.stream().map(Types::nameOf).toList();
    }

    /**
     * Read {@code --op}; the sum for collectives that do not reduce.
     *
     * @throws UsageException if there is no such reduction
     */
    public static List<Reduction> reductions(String text, Collective collective) {
        List<Reduction> all = List.of(Reduction.values());
        if (!collective.reduces()) {
            return List.of(Reduction.SUM);
        }
        if (text.equals(ALL)) {
            return all;
        }
        List<Reduction> reductions = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            reductions.add(all.stream()
                    .filter(each -> each.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(
                            "--op = \"" + name + "\": expected one of sum, prod, max, min, or all.")));
        }
        return reductions;
    }

    /**
     * Read {@code --root}.
     *
     * @throws UsageException if it is no rank
     */
    public static List<Integer> roots(String text, Collective collective, int ranks) {
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            all.add(rank);
        }
        if (text.equals(ALL) || text.equals("-1")) {
            return collective.hasRoot() ? all : List.of(0);
        }
        List<Integer> root =
                all.stream().filter(each -> each.toString().equals(text)).toList();
        if (root.isEmpty()) {
            throw new UsageException(
                    "--root = \"" + text + "\": expected a rank from 0 to " + (ranks - 1) + ", or all.");
        }
        return collective.hasRoot() ? root : List.of(0);
    }
}
