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
    void failsOnRank1TheFirstTime(RankContext rank) throws IOException {
        Path seen = Path.of("target", "seen");
        boolean again = Files.exists(seen);
        rank.barrier();
        if (rank.rank() == 1 && !again) {
            Files.createFile(seen);
            throw new AssertionError("the first time");
        }
    }

    @Test
    void passes(RankContext rank) {
        rank.barrier();
    }
}
