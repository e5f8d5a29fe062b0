package org.rankunit.engine.cases;

import com.sun.jna.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Ranks that lack what a process needs. */
public final class StarvedCases {

    private StarvedCases() {}

    /** Rank 1 takes memory that no collector knows of, until somebody ends that. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class OfMemory {

        /** The variable with the control group that has little memory. */
        public static final String GROUP = "STARVED_GROUP";

        private static final int BLOCK = 32 << 20;

        @Test
        void takesAllThereIs(RankContext rank) throws IOException {
            if (rank.rank() == 1) {
                Files.writeString(
                        Path.of(Objects.requireNonNull(System.getenv(GROUP)), "cgroup.procs"),
                        String.valueOf(ProcessHandle.current().pid()));
            }
            List<Memory> taken = new ArrayList<>();
            while (rank.rank() == 1) {
                taken.add(new Memory(BLOCK));
                // Touched again and again, or it would only be promised.
                taken.forEach(block -> block.setMemory(0, BLOCK, (byte) 1));
            }
            rank.barrier();
        }

        @Test
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }
}
