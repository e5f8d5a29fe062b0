package org.rankunit.cli.bench;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.rankunit.DType;
import org.rankunit.collective.bench.BusBandwidth;
import org.rankunit.collective.bench.MeasuredCollective;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;

/**
 * One line of the table: a call and an algorithm.
 *
 * @param algorithm by which {@code Algorithms} finds it
 * @param shown the algorithm's own name
 * @param call out of place
 * @param places in which it is measured; at least one
 */
record BenchCase(String algorithm, String shown, CollectiveCall call, Set<Place> places) {

    BenchCase {
        places = Collections.unmodifiableSet(EnumSet.copyOf(places));
    }

    private static final String SEPARATOR = "\t";

    long size() {
        return BusBandwidth.size(call);
    }

    /** Of each rank's window, so that this case fits. */
    long windowBytes() {
        return MeasuredCollective.windowBytes(call);
    }

    /** The root as the table shows it: -1 if there is none. */
    int shownRoot() {
        return call.collective().hasRoot() ? call.root() : -1;
    }

    String shownReduction() {
        return call.collective().reduces() ? call.reduction().toString() : "none";
    }

    /** For the ranks. */
    String line() {
        return String.join(
                SEPARATOR,
                algorithm,
                call.collective().name(),
                String.valueOf(call.ranks()),
                call.type().name(),
                String.valueOf(call.count()),
                String.valueOf(call.root()),
                call.reduction().name(),
                call.memory().name(),
                places.stream().map(Place::name).collect(Collectors.joining(",")));
    }

    static BenchCase parse(String line) {
        List<String> words = List.of(line.split(SEPARATOR, -1));
        CollectiveCall call = CollectiveCall.of(
                        Collective.valueOf(words.get(1)),
                        Integer.parseInt(words.get(2)),
                        DType.valueOf(words.get(3)),
                        Long.parseLong(words.get(4)))
                .withRoot(Integer.parseInt(words.get(5)))
                .withReduction(Reduction.valueOf(words.get(6)));
        MemoryMode memory = MemoryMode.valueOf(words.get(7));
        return new BenchCase(
                words.get(0),
                words.get(0),
                call.withMemory(memory, call.cclBytes()),
                Arrays.stream(words.get(8).split(",")).map(Place::valueOf).collect(Collectors.toSet()));
    }
}
