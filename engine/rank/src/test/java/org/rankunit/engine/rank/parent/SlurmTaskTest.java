package org.rankunit.engine.rank.parent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.protocol.RankPlace;

/** The environments of tasks are those of Slurm 22.05, unless a comment says otherwise. */
@Tag("unit")
class SlurmTaskTest {

    @Test
    void aTaskKnowsItsPlaceInTheStep() {
        SlurmTask task = SlurmTask.of(task(3, 1, "node2", Map.of()));

        assertThat(task.rank()).isEqualTo(3);
        assertThat(task.localRank()).isEqualTo(1);
        assertThat(task.node()).isEqualTo("node2");
        assertThat(task.step()).isEqualTo("1.5");
    }

    @Test
    void withoutAnyVariableDevicesAreCounted() {
        assertThat(device(1, Map.of())).isEqualTo("1 = 1 counted");
    }

    /** The step has devices 2, 3 and 4 on the node. */
    @Test
    void aTaskTakesTheDeviceAtThePlaceOfItsLocalRank() {
        Map<String, String> step = Map.of("SLURM_STEP_GPUS", "2,3,4", "SLURM_GPUS_ON_NODE", "3");

        assertThat(device(0, step)).isEqualTo("2 = 2 SLURM_STEP_GPUS");
        assertThat(device(1, step)).isEqualTo("3 = 3 SLURM_STEP_GPUS");
    }

    /** What a prolog makes of the same step. */
    @Test
    void theVendorsRuntimeNumbersItsVisibleDevicesFromZero() {
        Map<String, String> step =
                Map.of("ASCEND_RT_VISIBLE_DEVICES", "2,3,4", "SLURM_STEP_GPUS", "2,3,4", "SLURM_GPUS_ON_NODE", "3");

        assertThat(device(1, step)).isEqualTo("3 = 1 ASCEND_RT_VISIBLE_DEVICES");
    }

    /** With {@code --gpus-per-task=1}, of a step that has two devices on the node. */
    @Test
    void aListOfOneDeviceIsTheTasksOwn() {
        Map<String, String> task = Map.of("SLURM_STEP_GPUS", "1", "SLURM_GPUS_ON_NODE", "2");

        assertThat(device(1, task)).isEqualTo("1 = 1 SLURM_STEP_GPUS");
        assertThat(device(0, task)).isEqualTo("1 = 1 SLURM_STEP_GPUS");
    }

    @Test
    void theOnlyVisibleDeviceIsTheFirstOfTheRuntime() {
        Map<String, String> task =
                Map.of("ASCEND_RT_VISIBLE_DEVICES", "7", "SLURM_STEP_GPUS", "7", "SLURM_GPUS_ON_NODE", "3");

        assertThat(device(2, task)).isEqualTo("7 = 0 ASCEND_RT_VISIBLE_DEVICES");
    }

    /** With {@code --gres=gpu:1} and two tasks on the node: both see the device. */
    @Test
    void theOnlyDeviceOfTheStepIsNotSharedByItsTasks() {
        Map<String, String> step = Map.of("SLURM_STEP_GPUS", "0", "SLURM_GPUS_ON_NODE", "1");

        assertThat(device(0, step)).isEqualTo("0 = 0 SLURM_STEP_GPUS");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device(1, step))
                .withMessage(
                        "SLURM_STEP_GPUS = \"0\": task 1 of node2 has no device, since tasks are counted from 0 and"
                                + " 1 device is listed for node2.\nRequest as many devices as tasks on every node.");
    }

    /** The plugin that sets SLURM_STEP_NPUS is not a part of Slurm. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,1,2,3     | 4,5,6,7 | 8-11    | node2=12-15 | 2 = 2 ASCEND_RT_VISIBLE_DEVICES",
                "''          | 4,5,6,7 | 8-11    | node2=12-15 | 6 = 6 SLURM_STEP_NPUS",
                "''          | ''      | 8-11    | node2=12-15 | 10 = 10 SLURM_STEP_GPUS",
                "''          | ''      | ''      | node2=12-15 | 14 = 14 RANKUNIT_DEVICES",
                "''          | ''      | ''      | ''          | 2 = 2 counted",
            })
    void theFirstVariableThatIsSetCounts(String runtime, String npus, String gpus, String ours, String device) {
        assertThat(device(
                        2,
                        Map.of(
                                "ASCEND_RT_VISIBLE_DEVICES", runtime,
                                "SLURM_STEP_NPUS", npus,
                                "SLURM_STEP_GPUS", gpus,
                                "RANKUNIT_DEVICES", ours)))
                .isEqualTo(device);
    }

    @Test
    void theMapOfTheLauncherHasTheDevicesOfEachNode() {
        Map<String, String> step = Map.of("RANKUNIT_DEVICES", "node1=0,1;node=6,7;node2=4-5,9;node22=1,2,3");

        assertThat(device(0, step)).isEqualTo("4 = 4 RANKUNIT_DEVICES");
        assertThat(device(2, step)).isEqualTo("9 = 9 RANKUNIT_DEVICES");
    }

    @Test
    void ofAllDevicesOfTheNodeATaskTakesThoseOfItsSlots() {
        String slots = "node1=7;node2=1,3";

        assertThat(device(1, Map.of("RANKUNIT_SLOTS", slots))).isEqualTo("3 = 3 counted");
        assertThat(device(1, Map.of("RANKUNIT_SLOTS", slots, "SLURM_STEP_GPUS", "4-7")))
                .isEqualTo("7 = 7 SLURM_STEP_GPUS");
        assertThat(device(0, Map.of("RANKUNIT_SLOTS", slots, "ASCEND_RT_VISIBLE_DEVICES", "4,5,6,7")))
                .isEqualTo("5 = 1 ASCEND_RT_VISIBLE_DEVICES");
        assertThat(device(1, Map.of("RANKUNIT_SLOTS", slots, "RANKUNIT_DEVICES", "node2=8,9")))
                .isEqualTo("9 = 9 RANKUNIT_DEVICES");
    }

    @Test
    void aNodeThatTheMapDoesNotHaveIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device(0, Map.of("RANKUNIT_DEVICES", "node1=0,1;node22=4")))
                .withMessage("RANKUNIT_DEVICES = \"node1=0,1;node22=4\": it has no devices of node2.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "0,,1", "0,", "-1", "0-", "3-1", "0-10000", "0,1,0", "0;1", "NoDevFiles", "99999999999"})
    void aListThatCannotBeReadIsAnErrorWithTheVariableAndItsValue(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device(0, Map.of("SLURM_STEP_NPUS", value)))
                .withMessageStartingWith("SLURM_STEP_NPUS = \"" + value + "\": ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-3", "3,2", "1,0,2"})
    void aListThatTheRuntimeDoesNotReadToItsEndIsAnError(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device(0, Map.of("ASCEND_RT_VISIBLE_DEVICES", value)))
                .withMessage("ASCEND_RT_VISIBLE_DEVICES = \"" + value
                        + "\": the vendor's runtime reads only single ids in ascending order.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SLURM_PROCID", "SLURM_LOCALID", "SLURMD_NODENAME", "SLURM_JOB_ID", "SLURM_STEP_ID"})
    void aProcessWithoutOneOfSlurmsVariablesIsNoTask(String variable) {
        Map<String, String> environment = task(0, 0, "node1", Map.of());
        environment.remove(variable);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlurmTask.of(environment))
                .withMessageStartingWith(variable + " is not set");
    }

    @Test
    void aRankIsANumber() {
        Map<String, String> environment = task(0, 0, "node1", Map.of("SLURM_PROCID", "x"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlurmTask.of(environment))
                .withMessageStartingWith("SLURM_PROCID = \"x\"");
    }

    @Test
    void aStepThatDoesNotBeginWithRankZeroSaysWhereItBegins() {
        SlurmTask task = SlurmTask.of(task(3, 1, "node2", Map.of("RANKUNIT_FIRST_RANK", "4")));

        assertThat(task.rank()).isEqualTo(7);
        assertThat(task.localRank()).isEqualTo(1);
        assertThat(device(1, Map.of("RANKUNIT_FIRST_RANK", "4", "SLURM_STEP_GPUS", "2,3")))
                .isEqualTo("3 = 3 SLURM_STEP_GPUS");
    }

    @Test
    void theFirstRankIsANumber() {
        Map<String, String> environment = task(0, 0, "node1", Map.of("RANKUNIT_FIRST_RANK", "-1"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlurmTask.of(environment))
                .withMessage("RANKUNIT_FIRST_RANK = \"-1\": this is not a number");
    }

    @Test
    void theParentLearnsWhereTheTaskRuns() {
        SlurmTask task = SlurmTask.of(
                task(3, 1, "node2", Map.of("ASCEND_RT_VISIBLE_DEVICES", "4,6", "RANKUNIT_FIRST_RANK", "4")));

        assertThat(task.place(4711))
                .isEqualTo(new RankPlace("node2", 1, 6, 1, "ASCEND_RT_VISIBLE_DEVICES", "1.5", 4711));
    }

    @RepeatedTest(200)
    void tasksOfANodeHaveAllDevicesOfTheListAndEachAnother(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<Integer> ids = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        int next = random.nextInt(4);
        for (int part = 0; part <= random.nextInt(4); part++) {
            int last = next + random.nextInt(4);
            parts.add(last == next && random.nextBoolean() ? "" + next : next + "-" + last);
            IntStream.rangeClosed(next, last).forEach(ids::add);
            next = last + 1 + random.nextInt(3);
        }
        String single = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
        String size = String.valueOf(ids.size());
        Map<String, String> byRanges = Map.of("SLURM_STEP_GPUS", String.join(",", parts), "SLURM_GPUS_ON_NODE", size);
        Map<String, String> ofRuntime = Map.of("ASCEND_RT_VISIBLE_DEVICES", single, "SLURM_GPUS_ON_NODE", size);

        for (int localRank = 0; localRank < ids.size(); localRank++) {
            int id = ids.get(localRank);
            assertThat(device(localRank, byRanges)).isEqualTo(id + " = " + id + " SLURM_STEP_GPUS");
            assertThat(device(localRank, ofRuntime)).isEqualTo(id + " = " + localRank + " ASCEND_RT_VISIBLE_DEVICES");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> device(ids.size(), byRanges));
    }

    /** Its id, that of the runtime, and where it is from. */
    private static String device(int localRank, Map<String, String> variables) {
        SlurmTask task = SlurmTask.of(task(2 + localRank, localRank, "node2", variables));
        return task.deviceId() + " = " + task.runtimeDeviceId() + " " + task.source();
    }

    private static Map<String, String> task(int rank, int localRank, String node, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SLURM_PROCID",
                String.valueOf(rank),
                "SLURM_LOCALID",
                String.valueOf(localRank),
                "SLURMD_NODENAME",
                node,
                "SLURM_JOB_ID",
                "1",
                "SLURM_STEP_ID",
                "5"));
        environment.putAll(more);
        return environment;
    }
}
