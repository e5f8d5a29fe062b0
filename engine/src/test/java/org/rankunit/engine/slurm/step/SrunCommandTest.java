package org.rankunit.engine.slurm.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SrunCommandTest {

    private static final Path FOLDER = Path.of("/home/user/project");
    private static final List<String> JAVA = List.of("java", "-cp", "a b.jar", "Main");

    @Test
    void theCommandAsksForExactlyTheTasksAndDevicesOfItsRanks() {
        SrunCommand srun = new SrunCommand("17", "npu:2", 1, List.of("--mem=0", "-v"));

        assertThat(srun.of(new StepPart(4, List.of("node1", "node2"), 2), "g1", "/logs/g1-%t.log", FOLDER, JAVA))
                .containsExactly(
                        "srun",
                        "--jobid=17",
                        "--job-name=g1",
                        "--exact",
                        "--nodes=2",
                        "--nodelist=node1,node2",
                        "--ntasks=4",
                        "--ntasks-per-node=2",
                        "--cpus-per-task=1",
                        "--distribution=block",
                        "--gres=npu:2",
                        "--kill-on-bad-exit=0",
                        "--wait=0",
                        "--chdir=/home/user/project",
                        "--output=/logs/g1-%t.log",
                        "--error=/dev/stderr",
                        "--mpi=none",
                        "--mem=0",
                        "-v",
                        "sh",
                        "-c",
                        "RANKUNIT_RANK=\"$RANKUNIT_RANK$((RANKUNIT_FIRST_RANK + SLURM_PROCID))\";"
                                + " export RANKUNIT_RANK; exec \"$@\" 2>&1",
                        "rankunit-rank",
                        "java",
                        "-cp",
                        "a b.jar",
                        "Main");
    }

    @Test
    void aStepWithoutDevicesAsksForNone() {
        SrunCommand srun = new SrunCommand("17", "", 2, List.of());

        assertThat(srun.of(new StepPart(0, List.of("node1"), 1), "g1", "log", FOLDER, JAVA))
                .contains("--gres=none", "--cpus-per-task=2");
    }

    @Test
    void theUserChoosesHowTasksFindEachOther() {
        SrunCommand srun = new SrunCommand("17", "", 1, List.of("--mpi=pmi2"));

        assertThat(srun.of(new StepPart(0, List.of("node1"), 1), "g1", "log", FOLDER, JAVA))
                .contains("--mpi=pmi2")
                .doesNotContain("--mpi=none");
    }

    /** What a task does, in a real shell. */
    @Test
    void aTaskAppendsItsRankToItsMarkAndKeepsTheOrderOfBothStreams() throws Exception {
        List<String> rank = List.of("sh", "-c", "echo \"$RANKUNIT_RANK $1\"; echo error >&2; echo end", "x", "a  b");
        List<String> command = new SrunCommand("17", "", 1, List.of())
                .of(new StepPart(4, List.of("node1"), 2), "g1", "log", FOLDER, rank);

        assertThat(outputOf(command.subList(command.indexOf("sh"), command.size())))
                .isEqualTo("run/5 a  b\nerror\nend\n");
    }

    private static String outputOf(List<String> task) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(task);
        builder.environment().putAll(Map.of("RANKUNIT_RANK", "run/", "RANKUNIT_FIRST_RANK", "4", "SLURM_PROCID", "1"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
