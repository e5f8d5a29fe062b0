package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

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
        Path folder = Files.createDirectories(Path.of("target", "processes"));
        Files.createFile(folder.resolve(
                "rank-" + rank.rank() + "-" + ProcessHandle.current().pid()));
        rank.barrier();
    }

    @Test
    @DeviceCount(2)
    void theClassPathOfARankHoldsNoJacksonEither(RankContext rank) {
        assertThrows(ClassNotFoundException.class, () -> Class.forName("com.fasterxml.jackson.core.JsonFactory"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DeviceCount(2)
    void everyInvocationRunsOnEveryRank(int number, RankContext rank) {
        assertTrue(number >= 1 && number <= 3);
        assertEquals(2, rank.rankCount());
        rank.barrier();
    }
}
