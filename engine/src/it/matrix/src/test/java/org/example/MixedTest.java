package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Ordinary tests and device tests of every kind in one class; of each kind of device test one that is ordinary beside it. */
@Tag("ranks")
class MixedTest {

    @Test
    void anOrdinaryTestRunsOnNoRank() {
        assertEquals(4, 2 + 2);
    }

    @Test
    void theClassPathHoldsNoJacksonButTheUsersOwn() {
        assertThrows(ClassNotFoundException.class, () -> Class.forName("com.fasterxml.jackson.core.JsonFactory"));
    }

    @Test
    @DeviceCount(2)
    void everyRankIsAProcess(RankContext rank) throws IOException {
        Path folder = Files.createDirectories(Path.of(System.getProperty("cell.folder"), "processes"));
        Files.createFile(folder.resolve(
                "rank-" + rank.rank() + "-" + ProcessHandle.current().pid()));
        rank.barrier();
    }

    @Test
    @DeviceCount(2)
    void theClassPathOfARankHoldsNoJacksonEither(RankContext rank) {
        assertThrows(ClassNotFoundException.class, () -> Class.forName("com.fasterxml.jackson.core.JsonFactory"));
    }

    @Test
    @DeviceCount({1, 2})
    void everyCountIsATestOfItsOwn(RankContext rank) {
        rank.barrier();
    }

    @Test
    @Disabled("not today")
    @DeviceCount(2)
    void aDisabledDeviceTest(RankContext rank) {
        rank.barrier();
    }

    @Test
    @Disabled("not today")
    void aDisabledOrdinaryTest() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DeviceCount(2)
    void everyInvocationRunsOnEveryRank(int number, RankContext rank) {
        assertTrue(number >= 1 && number <= 3);
        assertEquals(2, rank.worldSize());
        rank.barrier();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyOrdinaryInvocation(int number) {
        assertTrue(number >= 1 && number <= 3);
    }

    @RepeatedTest(2)
    @DeviceCount(2)
    void repeatedOnRanks(RankContext rank) {
        rank.barrier();
    }

    @RepeatedTest(2)
    void repeated() {}

    @TestFactory
    @DeviceCount(2)
    Stream<DynamicTest> dynamicOnRanks(RankContext rank) {
        return Stream.of("a", "b").map(name -> dynamicTest(name, rank::barrier));
    }

    @TestFactory
    Stream<DynamicTest> dynamic() {
        return Stream.of("a", "b").map(name -> dynamicTest(name, () -> {}));
    }

    @Nested
    class Inside {

        @Test
        @DeviceCount(2)
        void aNestedDeviceTest(RankContext rank) {
            rank.barrier();
        }

        @Test
        void aNestedOrdinaryTest() {}
    }
}
