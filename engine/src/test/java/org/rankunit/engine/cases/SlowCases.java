package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Tests in which processes do not run for a while, and go on as if nothing had been. */
public final class SlowCases {

    private SlowCases() {}

    @DeviceCount(16)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Crowd {

        private static final int MEETINGS = 100;

        @Test
        void meetsOften(RankContext rank) {
            for (int i = 0; i < MEETINGS; i++) {
                rank.barrier();
            }
        }

        @Test
        void thenOnceMore(RankContext rank) {
            rank.barrier();
            assertEquals(16, rank.worldSize());
        }
    }

    @DeviceCount(3)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class PausedRank {

        @Test
        void whileOthersWait(RankContext rank) throws IOException {
            rank.barrier();
            if (rank.rank() == 1) {
                pause(ProcessHandle.current().pid(), "2.5");
            }
            rank.barrier();
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class PausedParent {

        @Test
        void whileRanksGoOn(RankContext rank) throws IOException {
            rank.barrier();
            if (rank.rank() == 0) {
                pause(ProcessHandle.current().parent().orElseThrow().pid(), "6");
            }
            rank.barrier();
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    /** Stop a process; a shell that is not stopped itself lets it go on, after as long as a bad pause of a collector. */
    private static void pause(long pid, String seconds) throws IOException {
        Process shell = new ProcessBuilder(
                        "sh", "-c", "kill -STOP " + pid + "; echo; sleep " + seconds + "; kill -CONT " + pid)
                .start();
        assertEquals('\n', shell.getInputStream().read());
    }
}
