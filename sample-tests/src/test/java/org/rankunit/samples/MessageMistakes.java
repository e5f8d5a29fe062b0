package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.distributed.Distributed;
import org.rankunit.distributed.GroupTensor;
import org.rankunit.distributed.ProcessGroup;

/** Device tests that fail. They are run by {@link MessageMistakesTest}. */
@DeviceCount(2)
class MessageMistakes {

    /** The parameter with the name of a file for a message. */
    static final String TOLD = "told";

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void nobodyReceives(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            GroupTensor tensor = dist.zeros(DType.FLOAT16, 3);
            if (dist.getRank() == 0) {
                dist.isend(tensor, 1);
            }
        }
    }

    @Test
    void nobodySends(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            GroupTensor tensor = dist.zeros(DType.FLOAT16, 3);
            if (dist.getRank() == 0) {
                dist.recv(tensor, 1);
            }
        }
    }

    @Test
    void aMismatchThatNobodyAwaits(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            if (dist.getRank() == 0) {
                dist.isend(dist.zeros(DType.FLOAT16, 3), 1);
            } else {
                dist.irecv(dist.zeros(DType.BFLOAT16, 3), 0);
            }
        }
    }

    @Test
    void theSenderFails(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            GroupTensor tensor = dist.zeros(DType.FLOAT16, 3);
            if (dist.getRank() == 0) {
                dist.recv(tensor, 1);
            } else {
                assertThat(dist.worldSize()).as("the size of the world").isEqualTo(3);
            }
        }
    }

    @Test
    void aMemberIsInAnotherCall(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            if (dist.getRank() == 0) {
                dist.monitoredBarrier(LONG);
            }
        }
    }

    @Test
    void aMemberEnds(RankContext rank) throws IOException {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            if (dist.getRank() == 1) {
                Runtime.getRuntime().halt(7);
            }
            dist.monitoredBarrier(LONG);
        } catch (RuntimeException e) {
            // A report says only that this rank was released.
            Files.writeString(Path.of(rank.parameter(TOLD).orElseThrow()), String.valueOf(e.getMessage()));
            throw e;
        }
    }
}
