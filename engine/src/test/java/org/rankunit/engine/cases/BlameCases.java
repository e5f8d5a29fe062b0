package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Tests that pass and leave something behind, and those that come after them and are not to blame. */
public final class BlameCases {

    private BlameCases() {}

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class LeavesFilesOpen {

        private static final int LIMIT = 1000;
        private static final List<FileInputStream> KEPT = new ArrayList<>();

        /** Loads what the other one needs. */
        @Test
        void aPasses(RankContext rank) {
            assertThat(new IOException("any")).hasMessageContaining("any");
            rank.barrier();
        }

        @Test
        void bLeavesFilesOpen(RankContext rank) {
            if (rank.rank() == 1) {
                Kernel.limitFiles(LIMIT);
                openAll();
            }
            rank.barrier();
        }

        private static void openAll() {
            try {
                while (KEPT.size() < LIMIT) {
                    KEPT.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("Too many open files");
            }
        }
    }

    /** On the same ranks as {@link LeavesFilesOpen}. */
    @DeviceCount(2)
    public static class Next {

        @Test
        void passes(RankContext rank) {
            rank.barrier();
        }
    }
}
