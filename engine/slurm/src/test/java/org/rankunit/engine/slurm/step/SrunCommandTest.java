package org.rankunit.engine.slurm.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("ranks")
@Timeout(60)
class SrunCommandTest {

    private static final Path FOLDER = Path.of("/home/user/project");
    private static final TaskPlace PLACE = TaskPlace.shared(FOLDER, Path.of("/home/user/out/sessions/1"));
    private static final List<String> JAVA = List.of("java", "-cp", "a b.jar", "Main");

    @Test
    void theCommandAsksForExactlyTheTasksAndDevicesOfItsRanks() {
        SrunCommand srun = new SrunCommand("17", "npu:2", 1, false, List.of("--mem=0", "-v"));

        List<String> command =
                srun.of(new StepPart(4, List.of("node1", "node2"), 2), "g1", "/logs/g1-%t.log", PLACE, JAVA);

        assertThat(command)
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
                        command.get(command.indexOf("-c") + 1),
                        "rankunit-rank",
                        PLACE.advice(),
                        "/home/user/out/sessions/1",
                        "java",
                        "-cp",
                        "a b.jar",
                        "Main");
    }

    @Test
    void aStepWithoutDevicesAsksForNone() {
        SrunCommand srun = new SrunCommand("17", "", 2, false, List.of());

        assertThat(srun.of(new StepPart(0, List.of("node1"), 1), "g1", "log", PLACE, JAVA))
                .contains("--gres=none", "--cpus-per-task=2");
    }

    @Test
    void onlyAStepThatDoesNotTrustTheBooksOfSlurmOverlapsOthers() {
        StepPart part = new StepPart(0, List.of("node1"), 1);

        assertThat(new SrunCommand("17", "", 1, true, List.of()).of(part, "g1", "log", PLACE, JAVA))
                .contains("--overlap");
        assertThat(new SrunCommand("17", "", 1, false, List.of()).of(part, "g1", "log", PLACE, JAVA))
                .doesNotContain("--overlap");
    }

    @Test
    void theUserChoosesHowTasksFindEachOther() {
        SrunCommand srun = new SrunCommand("17", "", 1, false, List.of("--mpi=pmi2"));

        assertThat(srun.of(new StepPart(0, List.of("node1"), 1), "g1", "log", PLACE, JAVA))
                .contains("--mpi=pmi2")
                .doesNotContain("--mpi=none");
    }

    /** What a task does, in a real shell. */
    @Test
    void aTaskAppendsItsRankToItsMarkAndKeepsTheOrderOfBothStreams() throws Exception {
        List<String> rank =
                List.of("/bin/sh", "-c", "echo \"$RANKUNIT_RANK $1\"; echo error >&2; echo end", "x", "a  b");
        List<String> command = new SrunCommand("17", "", 1, false, List.of())
                .of(new StepPart(4, List.of("node1"), 2), "g1", "log", TaskPlace.shared(FOLDER, Path.of("/")), rank);

        assertThat(outputOf(command.subList(command.indexOf("sh"), command.size())))
                .isEqualTo("run/5 a  b\nerror\nend\n");
    }

    @Test
    void aNodeThatDoesNotSeeTheFilesOfTheRunSaysSo() throws Exception {
        List<String> command = new SrunCommand("17", "", 1, false, List.of())
                .of(
                        new StepPart(4, List.of("node1"), 2),
                        "g1",
                        "log",
                        TaskPlace.shared(FOLDER, Path.of("/not/there")),
                        List.of("/bin/true"));

        assertThat(outputOf(command.subList(command.indexOf("sh"), command.size())))
                .isEqualTo(
                        "rankunit: node node1 has no /not/there. The output folder (rankunit.output-dir), the class path"
                                + " and the JDK must be on a file system that all nodes of the job see, under the same paths."
                                + " With rankunit.slurm.files = copied, only the JDK must be.\n");
    }

    private static String outputOf(List<String> task) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(task);
        builder.environment()
                .putAll(Map.of(
                        "RANKUNIT_RANK",
                        "run/",
                        "RANKUNIT_FIRST_RANK",
                        "4",
                        "SLURM_PROCID",
                        "1",
                        "SLURMD_NODENAME",
                        "node1"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
