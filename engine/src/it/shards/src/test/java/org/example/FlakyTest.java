package org.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
@DeviceCount(2)
class FlakyTest {

    @Test
    void failsTheFirstTimeIfItIsTo(RankContext rank) throws IOException {
        String file = System.getProperty("failed.before");
        boolean fails = file != null && !Files.exists(Path.of(file));
        rank.barrier();
        if (rank.rank() == 1 && fails) {
            Files.createFile(Path.of(file));
            throw new AssertionError("the first time");
        }
    }
}
