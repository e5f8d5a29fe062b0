package org.rankunit.cli.collective;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rankunit.DType;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.verify.finding.Promise;
import org.rankunit.collective.verify.sweep.Selection;
import picocli.CommandLine.Option;

/** Options that say which calls are verified, and for what. */
public final class SweepOptions {

    private static final String TYPE = "--type";
    private static final String OP = "--op";
    private static final String COUNT = "--count";
    private static final String ROOT = "--root";
    private static final String RANKS_PER_SERVER = "--ranks-per-server";
    private static final String REQUIRE = "--require";
    private static final int LONGEST_NUMBER = 15;

    @Option(
            names = TYPE,
            paramLabel = "TYPE",
            split = ",",
            description = "Types of elements, such as float64, separated by commas (default: one of each size).")
    private List<String> types = List.of();

    @Option(names = OP, paramLabel = "OP", split = ",", description = "Reductions: sum, prod, max, min (default: all).")
    private List<String> reductions = List.of();

    @Option(
            names = COUNT,
            paramLabel = "N",
            split = ",",
            description = "Numbers of elements (default: around the number of ranks, 0 to more than 2 GiB).")
    private List<String> counts = List.of();

    @Option(
            names = ROOT,
            paramLabel = "RANK",
            split = ",",
            description = "Roots (default: all up to 8 ranks, then the first, the middle and the last rank).")
    private List<String> roots = List.of();

    @Option(
            names = RANKS_PER_SERVER,
            paramLabel = "N",
            split = ",",
            description =
                    "Ranks on each server, as in 4, or on servers of different size, as in 3+1+2 for 6 ranks (default: so"
                            + " that there are 1 to 4 servers, and one for each rank).")
    private List<String> ranksPerServer = List.of();

    @Option(
            names = REQUIRE,
            paramLabel = "PROMISE",
            split = ",",
            description =
                    "What is required of an algorithm (default: all): safety (every run ends with the right result),"
                            + " protocol (exchanges begin with Ack and end with DataSignal), declaration (resources, symmetry and"
                            + " cost are as declared).")
    private List<String> required = List.of();

    /** The values that were given. */
    public Selection selection() {
        return new Selection(
                oneOf(TYPE, types, DType.values(), DType::toString),
                oneOf(OP, reductions, Reduction.values(), Reduction::toString),
                numbers(COUNT, counts, 0),
                ranks(ROOT, roots, 0),
                ranks(RANKS_PER_SERVER, withSum(false), 1),
                withSum(true).stream().map(SweepOptions::servers).distinct().toList());
    }

    private List<String> withSum(boolean has) {
        return ranksPerServer.stream().filter(each -> each.contains("+") == has).toList();
    }

    private static Servers servers(String text) {
        try {
            return Servers.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new UsageException(RANKS_PER_SERVER + " = " + e.getMessage() + ".");
        }
    }

    /** What is required; everything unless something is said. */
    public Set<Promise> required() {
        List<Promise> given =
                oneOf(REQUIRE, required, Promise.values(), each -> each.name().toLowerCase(Locale.ROOT));
        return given.isEmpty() ? EnumSet.allOf(Promise.class) : EnumSet.copyOf(given);
    }

    private static <T> List<T> oneOf(String option, List<String> given, T[] values, Function<T, String> name) {
        return given.stream()
                .map(text -> Arrays.stream(values)
                        .filter(value -> name.apply(value).equals(text.strip()))
                        .findFirst()
                        .orElseThrow(() -> new UsageException(option + " = \"" + text + "\": expected one of "
                                + Arrays.stream(values).map(name).collect(Collectors.joining(", ")) + ".")))
                .distinct()
                .toList();
    }

    private static List<Long> numbers(String option, List<String> given, int least) {
        return given.stream()
                .map(String::strip)
                .map(text -> {
                    if (text.length() > LONGEST_NUMBER || !text.matches("\\d+") || Long.parseLong(text) < least) {
                        throw new UsageException(option + " = \"" + text + "\": expected numbers from " + least
                                + ", separated by commas.");
                    }
                    return Long.parseLong(text);
                })
                .distinct()
                .toList();
    }

    private static List<Integer> ranks(String option, List<String> given, int least) {
        return numbers(option, given, least).stream()
                .map(number -> (int) Math.min(number, Integer.MAX_VALUE))
                .toList();
    }
}
