package org.rankunit.engine.slurm.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.slurm.step.StepMessage.Cancelled;
import org.rankunit.engine.slurm.step.StepMessage.LaunchFailed;
import org.rankunit.engine.slurm.step.StepMessage.NodeFailed;
import org.rankunit.engine.slurm.step.StepMessage.Other;
import org.rankunit.engine.slurm.step.StepMessage.TaskEnded;
import org.rankunit.engine.slurm.step.StepMessage.Waiting;

/** Lines are those of Slurm 22.05, unless a comment says otherwise. */
@Tag("unit")
class StepMessagesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "srun: error: node2: task 2: Exited with exit code 3      | node2 | 2     | 3",
                "srun: error: node1: tasks 0-1,3: Exited with exit code 3 | node1 | 0 1 3 | 3",
                "srun: error: node2: tasks 2-3: Exited with exit code 3   | node2 | 2 3   | 3",
                "srun: error: node1: tasks 0-1: Exited with exit code 137 | node1 | 0 1   | 137",
                "srun: error: node1: task 0: Exited with exit code 255    | node1 | 0     | 255",
                "srun: error: node3: tasks 0-2: Terminated                | node3 | 0 1 2 | 143",
                "srun: error: node1: tasks 0-1: Aborted (core dumped)     | node1 | 0 1   | 134",
            })
    void theTasksOfANodeAreListed(String line, String node, String tasks, int exitCode) {
        List<Integer> ids =
                Arrays.stream(tasks.split(" ", -1)).map(Integer::valueOf).toList();

        assertThat(StepMessages.read(line)).isEqualTo(new TaskEnded(node, ids, exitCode));
    }

    @ParameterizedTest
    @CsvSource({
        "Hangup, 1",
        "Interrupt, 2",
        "Quit (core dumped), 3",
        "Illegal instruction (core dumped), 4",
        "Trace/breakpoint trap (core dumped), 5",
        "Aborted (core dumped), 6",
        "Bus error (core dumped), 7",
        "Floating point exception (core dumped), 8",
        "Killed, 9",
        "User defined signal 1, 10",
        "Segmentation fault, 11",
        "Segmentation fault (core dumped), 11",
        "User defined signal 2, 12",
        "Broken pipe, 13",
        "Alarm clock, 14",
        "Terminated, 15",
        "Stack fault, 16",
        "CPU time limit exceeded (core dumped), 24",
        "File size limit exceeded (core dumped), 25",
        "Virtual timer expired, 26",
        "Profiling timer expired, 27",
        "I/O possible, 29",
        "Power failure, 30",
        "Bad system call (core dumped), 31",
        "Real-time signal 0, 34",
        "Real-time signal 16, 50",
    })
    void aSignalIsAnExitCodeAbove128(String words, int signal) {
        assertThat(StepMessages.read("srun: error: node1: task 0: " + words))
                .isEqualTo(new TaskEnded("node1", List.of(0), 128 + signal));
    }

    /** Needs cgroups that limit memory; from public records of other clusters. */
    @Test
    void aTaskWithoutMemoryWasKilled() {
        assertThat(StepMessages.read("srun: error: node1: task 0: Out Of Memory"))
                .isEqualTo(new TaskEnded("node1", List.of(0), 137));
    }

    /** Of {@code srun -n2 sh -c 'exit 3' : -n1 sh -c 'exit 4'}: rank 2 is task 0 of the second component. */
    @Test
    void tasksOfAHeterogeneousStepAreCountedInTheirComponent() {
        assertThat(read("""
                        srun: error: node2: task 0: Exited with exit code 4
                        srun: error: node1: tasks 0-1: Exited with exit code 3
                        """))
                .containsExactly(new TaskEnded("node2", List.of(0), 4), new TaskEnded("node1", List.of(0, 1), 3));
    }

    @Test
    void aFailedTaskEndsTheOthersOfItsStep() {
        assertThat(read("""
                        srun: error: node2: task 2: Exited with exit code 3
                        srun: launch/slurm: _step_signal: Terminating StepId=6.1
                        slurmstepd-node1: error: *** STEP 6.1 ON node1 CANCELLED AT 2026-11-25T13:08:10 ***
                        srun: error: node2: task 3: Terminated
                        srun: error: node1: tasks 0-1: Terminated
                        srun: Force Terminated StepId=6.1
                        """))
                .containsExactly(
                        new TaskEnded("node2", List.of(2), 3),
                        new Other("srun: launch/slurm: _step_signal: Terminating StepId=6.1"),
                        new Cancelled(""),
                        new TaskEnded("node2", List.of(3), 143),
                        new TaskEnded("node1", List.of(0, 1), 143),
                        new Other("srun: Force Terminated StepId=6.1"));
    }

    @Test
    void aLostNodeIsNamedBeforeTheStepIsCancelled() {
        assertThat(read("""
                        srun: error: Node failure on node4
                        srun: Job step aborted: Waiting up to 4 seconds for job step to finish.
                        slurmstepd-node3: error: *** STEP 12.0 ON node3 CANCELLED AT 2026-11-25T13:10:15 DUE TO NODE \
                        FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***
                        srun: error: node3: tasks 0-2: Terminated
                        """))
                .containsExactly(
                        new NodeFailed("node4"),
                        new Other("srun: Job step aborted: Waiting up to 4 seconds for job step to finish."),
                        new Cancelled("node failure"),
                        new TaskEnded("node3", List.of(0, 1, 2), 143));
    }

    @Test
    void aNodeWhoseDaemonIsDeadCannotStartTasks() {
        assertThat(StepMessages.read("srun: error: Task launch for StepId=6.44 failed on node node2: Communication"
                        + " connection failure"))
                .isEqualTo(new LaunchFailed("node2", "Communication connection failure"));
    }

    /** Those of {@code srun} itself, of a batch script and of a requeue are from Slurm's published sources. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slurmstepd: error: *** STEP 6.36 ON node1 CANCELLED AT 2026-11-25T13:09:04 *** | ''",
                "slurmstepd-node1: error: *** STEP 6.35+0 ON node1 CANCELLED AT 2026-11-25T13:08:53 *** | ''",
                "0: slurmstepd-node1: error: *** STEP 6.30 ON node1 CANCELLED AT 2026-11-25T13:08:12 *** | ''",
                "slurmstepd-node1: error: *** STEP 13.0 ON node1 CANCELLED AT 2026-11-25T13:11:35 DUE TO TIME LIMIT ***"
                        + " | time limit",
                "slurmstepd-node1: error: *** STEP 3.0 ON node1 CANCELLED AT 2026-11-25T13:09:12 DUE TO PREEMPTION ***"
                        + " | preemption",
                "slurmstepd-node1: error: *** STEP 7.0 ON node1 CANCELLED AT 2026-11-25T13:09:39 DUE TO NODE FAILURE,"
                        + " SEE SLURMCTLD LOG FOR DETAILS *** | node failure",
                "srun: error: *** STEP 1.0 CANCELLED AT 2026-11-25T13:09:12 DUE TO TIME LIMIT *** | time limit",
                "slurmstepd: error: *** JOB 5 ON node1 CANCELLED AT 2026-11-25T13:09:12 DUE TO JOB REQUEUE ***"
                        + " | job requeue",
                "srun: Job has been cancelled | ''",
            })
    void aCancelledStepSaysWhyIfSlurmDoes(String line, String why) {
        assertThat(StepMessages.read(line)).isEqualTo(new Cancelled(why));
    }

    /** The line with "still" is from public records of other clusters. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "srun: Job 6 step creation temporarily disabled, retrying (Requested nodes are busy)"
                        + " | Requested nodes are busy",
                "srun: Job 6 step creation still disabled, retrying (Requested nodes are busy)"
                        + " | Requested nodes are busy",
                "srun: job 11 queued and waiting for resources | queued and waiting for resources",
            })
    void aStepThatWaitsSaysForWhat(String line, String why) {
        assertThat(StepMessages.read(line)).isEqualTo(new Waiting(why));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "srun: Step created for job 6",
                "srun: job 2 has been allocated resources",
                "srun: forcing job termination",
                "srun: interrupt (one more within 1 sec to abort)",
                "srun: StepId=6.31 tasks 0-1,3: running",
                "srun: StepId=6.31 task 2: exited",
                "srun: First task exited 1s ago",
                "srun: launch/slurm: _task_finish: node1: task 0: Completed",
                "srun: error: Slurm job 6 has expired",
                "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 6",
                "srun: error: Unable to create step for job 6: Invalid generic resource (gres) specification",
                "srun: error: Application launch failed: Communication connection failure",
                "srun: error: Unable to allocate resources: Job/step already completing or completed",
                "slurmstepd-node1: error: execve(): /no/such: No such file or directory",
            })
    void whatDoesNotConcernTasksOrNodesIsPassedOn(String line) {
        assertThat(StepMessages.read(line)).isEqualTo(new Other(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0: Terminated",
                "node1: task 0: Killed",
                "a test says: srun: error: node1: task 0: Killed",
                "srun: error: node1: task 0: Vanished",
                "srun: error: node1: task 0: Exited with exit code 1234",
                "srun: error: node1: task x: Killed",
                "srun: error: node1: task 99999999999: Killed",
                "srun: error: node1: tasks 0-: Killed",
                "srun: error: node1: tasks 3-1: Killed",
                "srun: error: node1: tasks 0-100000: Killed",
                "srun: error: node1: tasks 0-60000,0-60000: Killed",
                "*** STEP 6.36 ON node1 CANCELLED AT 2026-11-25T13:09:04 ***",
            })
    void aLineThatOnlyLooksSimilarIsPassedOn(String line) {
        assertThat(StepMessages.read(line)).isEqualTo(new Other(line));
    }

    private static List<StepMessage> read(String lines) {
        return lines.lines().map(StepMessages::read).toList();
    }
}
