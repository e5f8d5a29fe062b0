package org.rankunit.engine.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.UniqueId;
import org.rankunit.engine.discovery.declaration.DeclaredTest;

/**
 * One of the variants of a test, which differ in their number of ranks and their runtime.
 *
 * @param runtime empty if the test names none
 * @param namesRanks whether its names tell the number of ranks
 * @param namesRuntime whether its names tell the runtime
 */
record TestVariant(int ranks, String runtime, boolean namesRanks, boolean namesRuntime) {

    /** All variants of a test, by number of ranks and then by runtime; with {@code countGiven}, the user chose the number. */
    static List<TestVariant> of(DeclaredTest test, boolean countGiven) {
        boolean namesRanks = test.counts().size() > 1 || countGiven;
        boolean namesRuntime = test.runtimes().size() > 1;
        List<TestVariant> variants = new ArrayList<>();
        for (int ranks : test.counts()) {
            for (String runtime : test.runtimes()) {
                variants.add(new TestVariant(ranks, runtime, namesRanks, namesRuntime));
            }
        }
        return variants;
    }

    UniqueId idOf(UniqueId test) {
        UniqueId id = namesRanks ? TestIds.ofRanks(test, ranks) : test;
        return namesRuntime ? TestIds.ofRuntime(id, runtime) : id;
    }

    /** What distinguishes it in display names: {@code " [2 ranks, host_build_graph]"}. */
    String suffix() {
        String text = Stream.of(
                        namesRanks ? ranks + (ranks == 1 ? " rank" : " ranks") : "", namesRuntime ? runtime : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "" : " [" + text + "]";
    }
}
