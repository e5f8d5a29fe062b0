package org.rankunit.engine.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@RequiresSlurm
class MiniSlurmTest {

    /** A task that says on which node it is. */
    private static final String NODE = "echo $SLURMD_NODENAME";

    /** Settings with which a node that does not answer is soon down. */
    private static final Map<String, String> LOST_SOON = Map.of("EXTRA_CONF", "SlurmdTimeout=2\nMessageTimeout=2");

    @Test
    void aStepHasATaskOnEachNode() {
        try (MiniSlurm slurm = MiniSlurm.start(2, 4)) {
            assertThat(slurm.run("srun", "-N2", "--gres=npu:4", "sh", "-c", NODE)
                            .lines())
                    .containsExactlyInAnyOrder("node1", "node2");
        }
    }

    @Test
    @RequiresSlurm(inNamespaces = true)
    void nodesMayHaveClocksAndFoldersOfTheirOwn(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("x"), "of this machine");
        try (MiniSlurm slurm = MiniSlurm.start(2, 1, Map.of("HIDE", folder.toString(), "SKEW", "100000"))) {
            String script = "cat " + folder + "/* 2>/dev/null; touch " + folder + "/$SLURMD_NODENAME; ls " + folder
                    + "; cut -d . -f 1 /proc/uptime";
            String first = String.join(
                    " ", slurm.run("srun", "-wnode1", "sh", "-c", script).lines());
            String second = String.join(
                    " ", slurm.run("srun", "-wnode2", "sh", "-c", script).lines());

            assertThat(first).startsWith("node1 ");
            assertThat(second).startsWith("node2 ");
            assertThat(seconds(second) - seconds(first)).isBetween(99_000L, 101_000L);
            assertThat(folder).isDirectoryContaining("glob:**/x").isDirectoryNotContaining("glob:**/node1");
        }
    }

    private static long seconds(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    void clustersRunSideBySide() {
        try (MiniSlurm one = MiniSlurm.start(1, 1);
                MiniSlurm two = MiniSlurm.start(2, 1)) {
            assertThat(one.run("sinfo", "-h", "-o", "%D").lines()).containsExactly("1");
            assertThat(two.run("sinfo", "-h", "-o", "%D").lines()).containsExactly("2");
        }
    }

    @Test
    void moreDevicesThanANodeHasAreRefused() {
        try (MiniSlurm slurm = MiniSlurm.start(1, 4)) {
            MiniSlurm.Ended refused = slurm.run("srun", "--gres=npu:5", "true");

            assertThat(refused.exit()).isNotZero();
            assertThat(refused.err()).contains("Requested node configuration is not available");
        }
    }

    @Test
    void tasksAreToldTheirDevicesIfTheseAreCalledGpu() {
        try (MiniSlurm slurm = MiniSlurm.start(1, 2, Map.of("GRES", "gpu:ascend910b"))) {
            assertThat(slurm.run("srun", "-n2", "--gpus-per-task=1", "sh", "-c", "echo $ASCEND_RT_VISIBLE_DEVICES")
                            .lines())
                    .containsExactlyInAnyOrder("0", "1");
        }
    }

    @Test
    void aJobInAnUrgentPartitionTakesTheNodesOfAnother() {
        try (MiniSlurm slurm = MiniSlurm.start(1, 1, Map.of("PREEMPT", "CANCEL"))) {
            assertThat(slurm.run("salloc", "--no-shell", "--exclusive").exit()).isZero();

            assertThat(slurm.run("srun", "-p", "urgent", "--exclusive", "sh", "-c", NODE)
                            .lines())
                    .containsExactly("node1");

            assertThat(slurm.run("squeue", "-h", "-p", "npu").lines()).isEmpty();
        }
    }

    @Test
    void linesForTheConfigurationReplaceOthers() {
        try (MiniSlurm slurm = MiniSlurm.start(1, 1, Map.of("EXTRA_CONF", "SlurmdTimeout=7\nKillWait=3"))) {
            MiniSlurm.Ended config = slurm.run("scontrol", "show", "config");

            assertThat(config.lines())
                    .anyMatch(line -> line.matches("SlurmdTimeout *= 7 sec"))
                    .anyMatch(line -> line.matches("KillWait *= 3 sec"));
            assertThat(config.err()).isEmpty();
        }
    }

    @Test
    void jobsSurviveARestartOfTheController() {
        try (MiniSlurm slurm = MiniSlurm.start(1, 1)) {
            assertThat(slurm.run("salloc", "--no-shell", "-J", "kept").exit()).isZero();

            slurm.restartController();

            assertThat(slurm.run("squeue", "-h", "-t", "running", "-o", "%j").lines())
                    .containsExactly("kept");
        }
    }

    @Test
    void aNodeWhoseDaemonWasKilledIsDownUntilItIsStarted() {
        try (MiniSlurm slurm = MiniSlurm.start(2, 1, LOST_SOON)) {
            slurm.killNode("node2");
            slurm.awaitNode("node2", "down");

            slurm.startNode("node2");
            slurm.awaitNode("node2", "idle");
        }
    }

    @Test
    @RequiresSlurm(inNamespaces = true)
    void aNodeThatIsCutOffIsDownUntilItIsHealed() {
        try (MiniSlurm slurm = MiniSlurm.startInNamespaces(2, 1, LOST_SOON)) {
            assertThat(slurm.run("srun", "-N2", "sh", "-c", NODE).lines()).containsExactlyInAnyOrder("node1", "node2");

            slurm.cut("node2");
            slurm.awaitNode("node2", "down");
            assertThat(slurm.run("srun", "sh", "-c", NODE).lines()).containsExactly("node1");

            slurm.heal("node2");
            slurm.awaitNode("node2", "idle");
            assertThat(slurm.run("srun", "-w", "node2", "sh", "-c", NODE).lines())
                    .containsExactly("node2");
        }
    }

    @Test
    void nothingOfAClusterIsLeftAfterItsEnd() {
        Path folder;
        long daemon;
        try (MiniSlurm slurm = MiniSlurm.start(1, 1)) {
            folder = slurm.folder();
            // Slurm does not find it: it leaves its session, and its parent ends.
            daemon = Long.parseLong(
                    slurm.run("srun", "sh", "-c", "setsid sleep 600 >/dev/null 2>&1 </dev/null & echo $!")
                            .lines()
                            .get(0));
            assertThat(runs(daemon)).isTrue();
        }

        assertThat(runs(daemon)).isFalse();
        assertThat(Files.exists(folder)).isFalse();
    }

    /** A process that has ended, but that nobody has waited for yet, has no command line any more. */
    private static boolean runs(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/cmdline")).isEmpty();
        } catch (IOException gone) {
            return false;
        }
    }
}
