package org.rankunit.engine.cases;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

    /** The last test of the factory, and the last invocation of the template, are registered by rank 1 alone. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class DifferentCounts {

        @Test
        @Order(4)
        void innocent(RankContext rank) {
            rank.barrier();
            Notes.add("unequal " + ProcessHandle.current().pid());
        }

        @Order(3)
        @ParameterizedTest
        @MethodSource("values")
        void oneLessOnRank0(int value, RankContext rank) {
            rank.barrier();
        }

        static IntStream values() {
            return IntStream.rangeClosed(1, Notes.isRank(1) ? 2 : 1);
        }

        @Test
        @Order(2)
        void between(RankContext rank) {
            rank.barrier();
            Notes.add("unequal " + ProcessHandle.current().pid());
        }

        @Order(1)
        @TestFactory
        Stream<DynamicTest> oneMoreOnRank1(RankContext rank) {
            return IntStream.rangeClosed(1, 2 + rank.rank()).mapToObj(i -> test("number " + i, rank));
        }
    }

    /** At the first place there is a test on one rank and a container on the other. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class DifferentKinds {

        @Order(1)
        @TestFactory
        Stream<DynamicNode> ofItsRank(RankContext rank) {
            DynamicTest inner = test("inner", rank);
            return Stream.of(
                    rank.rank() == 0 ? inner : DynamicContainer.dynamicContainer("outer", List.of(inner)),
                    test("same", rank));
        }

        @Test
        @Order(2)
        void innocent(RankContext rank) {
            rank.barrier();
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
