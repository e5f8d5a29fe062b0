package org.example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
@DeviceCount(2)
class HangingTest {

    @Test
    void neverEnds(RankContext rank) throws Exception {
        Process child = new ProcessBuilder("sleep", "1000").start();
        Files.writeString(
                Path.of("target/processes-of-rank-" + rank.rank()),
                ProcessHandle.current().pid() + " " + child.pid());
        if (rank.rank() == 1) {
            new CountDownLatch(1).await();
        }
        rank.barrier();
    }
}
