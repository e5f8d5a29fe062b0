package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.CurrentRank;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Classes that are sound where tests are discovered and broken where they run. */
public final class BrokenCases {

    private BrokenCases() {}

    private static int brokenInRanks(String what) {
        if (CurrentRank.session() != null) {
            throw new IllegalStateException(what);
        }
        return 1;
    }

    @DeviceCount(2)
    public static class StaticInitializer {

        static final int LIMIT = brokenInRanks("no driver here");

        @Test
        void a(RankContext rank) {
            rank.barrier();
        }

        @Test
        void b() {
            assertEquals(1, LIMIT);
        }
    }

    @DeviceCount(2)
    @ExtendWith(CannotBeMade.class)
    public static class BrokenExtension {

        @Test
        void a() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void p(int value) {}
    }

    /** An extension that rank 1 cannot make. */
    static final class CannotBeMade implements BeforeEachCallback {

        CannotBeMade() {
            if (Notes.isRank(1)) {
                brokenInRanks("no licence");
            }
        }

        @Override
        public void beforeEach(ExtensionContext context) {}
    }

    @DeviceCount(2)
    public static class EndlessConstructor {

        private final int depth;

        EndlessConstructor() {
            depth = Notes.isRank(1) ? deeper(0) : 0;
        }

        private static int deeper(int depth) {
            return depth < 0 ? depth : deeper(depth + 1) + 1;
        }

        @Test
        void a(RankContext rank) {
            rank.barrier();
            assertEquals(0, depth);
        }
    }

    @DeviceCount(2)
    public static class BeforeAllOfRank1 {

        @BeforeAll
        static void open(RankContext rank) {
            if (rank.rank() == 1) {
                throw new IllegalStateException("no link");
            }
            rank.barrier();
        }

        @Test
        void a() {}

        @Test
        void b() {}
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BeforeEachOfRank1 {

        @BeforeEach
        void prepare(RankContext rank) {
            if (rank.rank() == 1) {
                throw new IllegalStateException("no memory");
            }
            rank.barrier();
        }

        @Test
        void a() {}
    }

    @DeviceCount(2)
    public static class AfterAllOfRank1 {

        @Test
        void a() {}

        @AfterAll
        static void close(RankContext rank) {
            if (rank.rank() == 1) {
                throw new IllegalStateException("cannot close");
            }
            rank.barrier();
        }
    }

    /** Jupiter makes the instance of the second test before it hears that these ranks run no more tests. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class WaitingConstructor {

        WaitingConstructor(RankContext rank) {
            rank.barrier();
        }

        @Test
        void failsOnRank1(RankContext rank) {
            assertEquals(0, rank.rank());
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }
}
