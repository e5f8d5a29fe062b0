package org.rankunit.engine.cases;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Factories. */
public final class DynamicCases {

    private DynamicCases() {}

    @DeviceCount(2)
    public static class Factories {

        @TestFactory
        Stream<DynamicNode> tree(RankContext rank) {
            return Stream.of(
                    test("leaf", rank),
                    DynamicContainer.dynamicContainer(
                            "outer",
                            Stream.of(
                                    test("first", rank),
                                    DynamicContainer.dynamicContainer("inner", List.of(test("deep", rank))))),
                    DynamicContainer.dynamicContainer("empty", List.of()));
        }

        @TestFactory
        DynamicNode single(RankContext rank) {
            return test("alone", rank);
        }

        @TestFactory
        List<DynamicTest> none() {
            return List.of();
        }
    }

    /** The last test is registered by rank 1 alone. */
    @DeviceCount(2)
    public static class DifferentCounts {

        @TestFactory
        Stream<DynamicTest> oneMoreOnRank1(RankContext rank) {
            return IntStream.rangeClosed(1, 2 + rank.rank()).mapToObj(i -> test("number " + i, rank));
        }
    }

    /** The test in the middle is another one on each rank, though all have the same place. */
    @DeviceCount(2)
    public static class DifferentNames {

        @TestFactory
        Stream<DynamicTest> ofItsRank(RankContext rank) {
            return Stream.of("same", "of rank " + rank.rank(), "same again").map(name -> test(name, rank));
        }
    }

    private static DynamicTest test(String name, RankContext rank) {
        return DynamicTest.dynamicTest(name, () -> {
            rank.barrier();
            Notes.add("dynamic " + name);
        });
    }
}
