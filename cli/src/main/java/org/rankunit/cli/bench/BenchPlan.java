package org.rankunit.cli.bench;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rankunit.DType;
import org.rankunit.cli.bench.request.BenchRequest;
import org.rankunit.cli.bench.request.Sizes;
import org.rankunit.cli.bench.request.Types;
import org.rankunit.cli.collective.Algorithms;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.select.HcclAlgo;
import org.rankunit.collective.select.Interconnect;
import org.rankunit.collective.select.Rules;

/** Makes the cases of a request, in the order in which they are measured. */
final class BenchPlan {

    private final BenchRequest request;
    private final Algorithms algorithms;

    /** An algorithm, and the name by which it is found. */
    private record Named(String name, CollectiveAlgorithm algorithm) {}

    private BenchPlan(BenchRequest request, Algorithms algorithms) {
        this.request = request;
        this.algorithms = algorithms;
    }

    /**
     * Make all cases: for each type, reduction, root and algorithm all sizes.
     *
     * @throws UsageException if an algorithm is unknown or does not apply, or a size is impossible
     */
    static List<BenchCase> of(BenchRequest request, Algorithms algorithms) {
        return new BenchPlan(request, algorithms).cases();
    }

    private List<BenchCase> cases() {
        List<Named> chosen = chosen();
        List<BenchCase> cases = new ArrayList<>();
        for (DType type : request.types()) {
            List<Long> counts = counts(type);
            for (Reduction reduction : request.reductions()) {
                for (int root : request.roots()) {
                    List<CollectiveCall> calls = counts.stream()
                            .map(count -> CollectiveCall.of(request.collective(), request.ranks(), type, count)
                                    .withReduction(reduction)
                                    .withRoot(root))
                            .toList();
                    if (chosen.isEmpty()) {
                        calls.forEach(call -> cases.add(byRule(call)));
                    }
                    chosen.forEach(each -> calls.forEach(call -> cases.add(by(each, call))));
                }
            }
        }
        return cases;
    }

    /** Elements of a rank for each size; sizes are rounded down to as many for each rank, as nccl-tests does. */
    private List<Long> counts(DType type) {
        int element = type.byteSize();
        boolean parts = request.collective().hasCounts();
        long divisor = parts ? (long) element * request.ranks() : element;
        Sizes sizes = request.sizes();
        for (long bytes : List.of(sizes.min(), sizes.max(), sizes.grows() ? sizes.min() : sizes.step())) {
            if (bytes % element != 0) {
                throw new UsageException("A size of " + bytes + " bytes is not a multiple of a " + Types.nameOf(type)
                        + ", which has " + element + ": give such --minbytes, --maxbytes and --stepbytes.");
            }
        }
        if (sizes.min() < divisor) {
            throw new UsageException("--minbytes = " + sizes.min() + ": " + request.collective() + " of "
                    + request.ranks() + " ranks needs at least " + divisor + " bytes, one " + Types.nameOf(type)
                    + " for each rank.");
        }
        return sizes.all().stream().map(bytes -> bytes / divisor).distinct().toList();
    }

    private List<Named> chosen() {
        List<Named> chosen = new ArrayList<>();
        for (String name : request.algorithms()) {
            List<Named> found = family(name);
            if (found.isEmpty()) {
                Named exact = exact(name);
                if (exact.algorithm().collective() != request.collective()) {
                    throw new UsageException("--algorithm = \"" + name + "\" is an algorithm for "
                            + exact.algorithm().collective() + ", not for " + request.collective() + ". "
                            + ours(request.collective()));
                }
                chosen.add(exact);
            }
            chosen.addAll(found);
        }
        return chosen.stream().distinct().toList();
    }

    private Named exact(String name) {
        try {
            return new Named(name, algorithms.named(List.of(name)).get(0));
        } catch (UsageException e) {
            throw new UsageException(
                    "--algorithm = \"" + name + "\": " + e.getMessage() + " " + ours(request.collective()));
        }
    }

    private static String ours(Collective collective) {
        List<CollectiveAlgorithm> fitting = BuiltinAlgorithms.all().stream()
                .filter(each -> each.collective() == collective)
                .toList();
        return "For " + collective + " there are "
                + String.join(
                        ", ", fitting.stream().map(CollectiveAlgorithm::name).toList()) + ", and the families "
                + String.join(
                        ", ",
                        fitting.stream().map(BenchPlan::familyOf).distinct().toList())
                + ".";
    }

    /** The algorithms of a family for the collective on windows; empty if it is no family. */
    private List<Named> family(String name) {
        List<CollectiveAlgorithm> members = BuiltinAlgorithms.all().stream()
                .filter(each -> familyOf(each).equals(name.toLowerCase(Locale.ROOT)))
                .toList();
        if (members.isEmpty()) {
            return List.of();
        }
        List<Named> fitting = members.stream()
                .filter(each -> each.collective() == request.collective())
                .filter(each -> !each.name().contains("Opbase"))
                .map(each -> new Named(each.name(), each))
                .toList();
        if (fitting.isEmpty()) {
            throw new UsageException("--algorithm = \"" + name + "\": this family has no algorithm for "
                    + request.collective() + ". " + ours(request.collective()));
        }
        return fitting;
    }

    /** The package of an algorithm: {@code ring}. */
    private static String familyOf(CollectiveAlgorithm algorithm) {
        String in = algorithm.getClass().getPackageName();
        return in.substring(in.lastIndexOf('.') + 1);
    }

    private BenchCase byRule(CollectiveCall call) {
        return new Rules(Interconnect.MESH, HcclAlgo.none())
                .select(call)
                .map(selection -> by(new Named(selection.name(), selection.algorithm()), call))
                .orElseThrow(() -> new UsageException("RankUnit has no algorithm for " + call + "."));
    }

    private BenchCase by(Named chosen, CollectiveCall call) {
        CollectiveAlgorithm algorithm = chosen.algorithm();
        for (CollectiveCall possible : List.of(call, call.withMemory(MemoryMode.SINGLE_OPERATOR, call.cclBytes()))) {
            Set<Place> places = places(algorithm, possible);
            if (!places.isEmpty()) {
                return new BenchCase(chosen.name(), algorithm.name(), possible, places);
            }
        }
        String why = algorithm.unsupportedReason(call).orElseThrow();
        throw new UsageException(
                "--algorithm: " + algorithm.name() + " does not apply to " + call + ": it " + why + ".");
    }

    private Set<Place> places(CollectiveAlgorithm algorithm, CollectiveCall call) {
        Set<Place> places = EnumSet.allOf(Place.class);
        places.removeIf(
                place -> (place == Place.IN_PLACE && request.collective().hasCountsOfPairs())
                        || algorithm.unsupportedReason(place.of(call)).isPresent());
        return places;
    }
}
