package org.rankunit.engine.cases;

import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Ranks that hang where no test method runs, between tests that have nothing to do with it. */
public final class HangCases {

    private HangCases() {}

    private static void waitForEver() {
        new Semaphore(0).acquireUninterruptibly();
    }

    private static int hangsAfterTheFirst(int number) {
        if (number > 1) {
            waitForEver();
        }
        return number;
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Sources {

        @TestFactory
        Stream<DynamicTest> aFactory() {
            return IntStream.of(1, 2)
                    .map(HangCases::hangsAfterTheFirst)
                    .mapToObj(i -> DynamicTest.dynamicTest("number " + i, () -> {}));
        }

        @ParameterizedTest
        @MethodSource("values")
        void bTemplate(int value) {}

        static IntStream values() {
            return IntStream.of(1, 2).map(HangCases::hangsAfterTheFirst);
        }

        @Test
        void cPasses(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class OfOneTest {

        private static int made;

        /** The second one that the first ranks make is of {@link #bMade}; no later ranks come as far as to a second one. */
        OfOneTest() {
            made++;
            if (made == 2 && Notes.isRank(1)) {
                waitForEver();
            }
        }

        private static boolean isOf(TestInfo test, String method) {
            return Notes.isRank(1)
                    && test.getTestMethod()
                            .filter(m -> m.getName().equals(method))
                            .isPresent();
        }

        @Test
        void aPasses(RankContext rank) {
            rank.barrier();
        }

        @Test
        void bMade() {}

        @Test
        void cLeft() {}

        @AfterEach
        void leave(TestInfo test) {
            if (isOf(test, "cLeft")) {
                waitForEver();
            }
        }

        @Test
        void dPasses(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @TestClassOrder(ClassOrderer.OrderAnnotation.class)
    public static class OfNestedClasses {

        @Test
        void outside(RankContext rank) {
            rank.barrier();
        }

        @Nested
        @Order(1)
        class Opened {

            @BeforeAll
            static void open() {
                waitForEver();
            }

            @Test
            void isNotRun() {}
        }

        @Nested
        @Order(2)
        class Closed {

            @Test
            void passes(RankContext rank) {
                rank.barrier();
            }

            @AfterAll
            static void close() {
                if (Notes.isRank(1)) {
                    waitForEver();
                }
            }
        }

        @Nested
        @Order(3)
        class Sound {

            @Test
            void passesToo(RankContext rank) {
                rank.barrier();
            }
        }
    }
}
