package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Assumptions and conditions that hold on one rank alone. */
public final class PartingCases {

    private PartingCases() {}

    static boolean isRank1() {
        return Notes.isRank(1);
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Assumptions {

        @Test
        @Order(1)
        void onAllRanks() {
            Notes.add("process " + ProcessHandle.current().pid());
            assumeTrue(false, "no link anywhere");
        }

        @Test
        @Order(2)
        void onRank1WhileRank0Waits(RankContext rank) {
            Notes.add("process " + ProcessHandle.current().pid());
            assumeTrue(rank.rank() == 0, "no link");
            rank.barrier();
        }

        @Test
        @Order(3)
        void thenPasses(RankContext rank) {
            Notes.add("process " + ProcessHandle.current().pid());
            rank.barrier();
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        @Order(4)
        void invocationOnRank1(int value, RankContext rank) {
            assumeTrue(value == 2 || rank.rank() == 0, "not for 1");
            Notes.add("invocation " + value);
        }

        @Test
        @Order(5)
        void rank0Fails(RankContext rank) {
            assumeTrue(rank.rank() == 0, "no link");
            throw new IllegalStateException("broken");
        }

        @AfterEach
        void cleanUp() {
            Notes.add("cleanUp");
        }

        /** Meets the communicator that is of no more use, on the rank that gave up as well. */
        @AfterAll
        static void close(RankContext rank) {
            Notes.add("closes");
            rank.barrier();
        }
    }

    @DeviceCount(2)
    public static class AssumptionOfClass {

        @BeforeAll
        static void open(RankContext rank) {
            assumeTrue(rank.rank() == 0, "no link");
            rank.barrier();
        }

        @Test
        void a() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void p(int value) {}
    }

    @DeviceCount(2)
    public static class AssumptionOfFactory {

        @TestFactory
        Stream<DynamicTest> tests(RankContext rank) {
            assumeTrue(rank.rank() == 0, "no tests");
            return Stream.of(DynamicTest.dynamicTest("one", () -> {}));
        }
    }

    /** A condition stands before the one that waits for the other ranks, since it is found first. */
    @DeviceCount(2)
    public static class Conditions {

        @Nested
        @DisabledIf("org.rankunit.engine.cases.PartingCases#isRank1")
        class OfClass {

            @Test
            void a() {}

            @Test
            void b() {}
        }

        @Test
        @DisabledIf("org.rankunit.engine.cases.PartingCases#isRank1")
        void ofTest(RankContext rank) {
            rank.barrier();
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        @DisabledIf("org.rankunit.engine.cases.PartingCases#isRank1")
        void ofTemplate(int value) {}
    }

    /** Only its method is a device test, so that the condition of the method is found before ours. */
    public static class ConditionBeforeOurs {

        @Test
        @DisabledIf("org.rankunit.engine.cases.PartingCases#isRank1")
        @DeviceCount(2)
        void ofTest(RankContext rank) {
            rank.barrier();
        }

        @Test
        @DeviceCount(2)
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    /** Rank 1 comes to the disabled class long before rank 0 does. */
    @DeviceCount(2)
    @TestClassOrder(ClassOrderer.OrderAnnotation.class)
    public static class SlowBeforeDisabled {

        @Test
        void slowOnRank0(RankContext rank) throws InterruptedException {
            Notes.add("slow " + ProcessHandle.current().pid());
            if (rank.rank() == 0) {
                Thread.sleep(1500);
            }
        }

        @Nested
        @Order(1)
        @Disabled("not today")
        class Never {

            @Test
            void never() {}
        }

        @Nested
        @Order(2)
        class After {

            @Test
            void onTheSameRanks(RankContext rank) {
                Notes.add("slow " + ProcessHandle.current().pid());
                rank.barrier();
            }
        }
    }
}
