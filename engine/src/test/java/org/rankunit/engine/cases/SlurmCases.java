package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.FreshRanks;
import org.rankunit.Nodes;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Tests whose ranks are tasks of Slurm's steps. */
public final class SlurmCases {

    private SlurmCases() {}

    private static void note(RankContext rank) {
        Notes.add("place " + rank.node() + " " + rank.localRank() + " " + rank.deviceId());
        Notes.add("nodes " + String.join(",", rank.nodes()));
    }

    /** The memory in which the hosts of ranks on one machine meet; ranks on several nodes have a copy each. */
    private static String inodeOfSegment() throws IOException {
        try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
            return mapped.filter(line -> line.contains("memfd:rankunit-bootstrap"))
                    .map(line -> line.split(" +", -1)[4])
                    .findFirst()
                    .orElse("none");
        }
    }

    /** On simulators, whose ranks share a node. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Together {

        @Test
        @Order(1)
        void ranksMeet(RankContext rank) {
            note(rank);
            System.out.println("rank " + rank.rank() + " says something");
            rank.barrier();
        }

        @Test
        @Order(2)
        void theyKnowTheirWindows(RankContext rank) {
            System.err.println("rank " + rank.rank() + " complains");
            assertThat(rank.peers()).hasSize(2);
            rank.barrier();
        }

        @Test
        @Order(3)
        void oneFails(RankContext rank) {
            rank.barrier();
            assertThat(rank.rank()).as("a rank that is right").isZero();
        }
    }

    /** On simulators, whose ranks cannot be on several nodes. */
    @DeviceCount(2)
    @Nodes(2)
    @Platforms("a2a3sim")
    public static class Apart {

        @Test
        void neverRuns() {}
    }

    /** On hardware, on two nodes. */
    @DeviceCount(4)
    @Nodes(2)
    @Platforms("a2a3")
    public static class OnTwoNodes {

        @Test
        void ranksMeetBetweenTheNodes(RankContext rank) throws IOException {
            note(rank);
            Notes.add("segment " + inodeOfSegment());
            rank.barrier();
            assertThat(rank.nodes().stream().distinct()).hasSize(2);
            assertThat(rank.localRank()).isEqualTo(rank.rank() % 2);
        }
    }

    /** On hardware, on as many nodes as that takes. */
    @DeviceCount(3)
    @Platforms("a2a3")
    public static class Anywhere {

        @Test
        void ranksMeet(RankContext rank) {
            note(rank);
            rank.barrier();
        }
    }

    /** More than any allocation here has. */
    @DeviceCount(64)
    @Platforms("a2a3")
    public static class TooMany {

        @Test
        void neverRuns() {}
    }

    /** A rank dies, and then others go on. */
    @DeviceCount(4)
    @Nodes(2)
    @Platforms("a2a3")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Deaths {

        @Test
        @Order(1)
        void oneExits(RankContext rank) {
            if (rank.rank() == 2) {
                Runtime.getRuntime().halt(3);
            }
            rank.barrier();
        }

        @Test
        @Order(2)
        void oneCrashes(RankContext rank) {
            if (rank.rank() == 1) {
                new Pointer(8).setInt(0, 1);
            }
            rank.barrier();
        }

        @Test
        @Order(3)
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    /** It lasts until something from outside ends the ranks of the second node; then another group is needed. */
    @DeviceCount(4)
    @Nodes(2)
    @Platforms("a2a3")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Endless {

        @Test
        @Order(1)
        void waits(RankContext rank) throws InterruptedException {
            note(rank);
            Notes.add("pid " + ProcessHandle.current().pid());
            Notes.add("step " + System.getenv("SLURM_JOB_ID") + "." + System.getenv("SLURM_STEP_ID"));
            rank.barrier();
            Notes.add("waits");
            if (rank.localRank() == rank.rank()) {
                rank.barrier();
            } else {
                new CountDownLatch(1).await();
            }
        }

        @Test
        @Order(2)
        void thenPasses(RankContext rank) {
            note(rank);
            rank.barrier();
        }
    }

    /** Its first test lasts until a file exists. */
    @DeviceCount(2)
    @Nodes(2)
    @Platforms("a2a3")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Patient {

        @Test
        @Order(1)
        void waitsForAFile(RankContext rank) {
            note(rank);
            Notes.add("step " + System.getenv("SLURM_JOB_ID") + "." + System.getenv("SLURM_STEP_ID"));
            Notes.add("pid " + ProcessHandle.current().pid());
            Notes.add("waits");
            while (!Files.exists(Path.of(System.getProperty("cases.notes"), "go on"))) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            rank.barrier();
        }

        @Test
        @Order(2)
        void thenPasses(RankContext rank) {
            note(rank);
            rank.barrier();
        }
    }

    /** It needs ranks of its own. */
    @DeviceCount(2)
    @Nodes(2)
    @Platforms("a2a3")
    @FreshRanks
    public static class Fresh {

        @Test
        void passes(RankContext rank) {
            note(rank);
            rank.barrier();
        }
    }
}
