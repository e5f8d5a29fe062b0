package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Tests that meet a disk without space, or make it so. */
public final class DiskCases {

    private DiskCases() {}

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Plain {

        @Test
        void a(RankContext rank) {
            rank.barrier();
        }

        @Test
        void b(RankContext rank) {
            rank.barrier();
        }
    }

    /** The disk of everything that RankUnit writes runs full in a test, which fails, so that the next needs new ranks. */
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Filling {

        @Test
        void a(RankContext rank) {
            rank.barrier();
        }

        @Test
        void fillsTheDisk(RankContext rank) throws IOException {
            rank.barrier();
            if (rank.rank() == 1) {
                fill(Path.of(System.getProperty("cases.disk")));
                fail("no space");
            }
            rank.barrier();
        }

        @Test
        void lacksSpace(RankContext rank) {
            rank.barrier();
        }

        private static void fill(Path disk) throws IOException {
            byte[] block = new byte[4096];
            try (OutputStream out = Files.newOutputStream(disk.resolve("filled"))) {
                while (true) {
                    out.write(block);
                }
            } catch (IOException e) {
                // Full; and no more names either.
                for (int i = 0; i < 100_000; i++) {
                    Files.createFile(disk.resolve("name" + i));
                }
            }
        }
    }
}
