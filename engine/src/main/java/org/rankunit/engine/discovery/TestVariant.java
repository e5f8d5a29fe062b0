package org.rankunit.engine.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.UniqueId;
import org.rankunit.engine.discovery.declaration.DeclaredTest;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * One of the variants of a test, which differ in their number of ranks, their runtime and their seed.
 *
 * @param runtime empty if the test names none
 * @param shake the seed with which it is shaken, or {@code null}
 * @param namesRanks whether its names tell the number of ranks
 * @param namesRuntime whether its names tell the runtime
 */
record TestVariant(
        int ranks, String runtime, TestDeclaration.@Nullable Shake shake, boolean namesRanks, boolean namesRuntime) {

    /** All variants of a test, by number of ranks, runtime and seed; with {@code countGiven}, the user chose the number. */
    static List<TestVariant> of(DeclaredTest test, boolean countGiven) {
        boolean namesRanks = test.counts().size() > 1 || countGiven;
        boolean namesRuntime = test.runtimes().size() > 1;
        List<TestVariant> variants = new ArrayList<>();
        for (int ranks : test.counts()) {
            for (String runtime : test.runtimes()) {
                if (test.shakes().isEmpty()) {
                    variants.add(new TestVariant(ranks, runtime, null, namesRanks, namesRuntime));
                }
                test.shakes()
                        .forEach(shake ->
                                variants.add(new TestVariant(ranks, runtime, shake, namesRanks, namesRuntime)));
            }
        }
        return variants;
    }

    UniqueId idOf(UniqueId test) {
        UniqueId id = namesRanks ? TestIds.ofRanks(test, ranks) : test;
        id = namesRuntime ? TestIds.ofRuntime(id, runtime) : id;
        return shake == null ? id : TestIds.ofSeed(id, shake.key());
    }

    /** What distinguishes it in display names: {@code " [2 ranks, host_build_graph, seed 7]"}. */
    String suffix() {
        String text = Stream.of(
                        namesRanks ? ranks + (ranks == 1 ? " rank" : " ranks") : "",
                        namesRuntime ? runtime : "",
                        shake == null ? "" : shake.text())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "" : " [" + text + "]";
    }
}
