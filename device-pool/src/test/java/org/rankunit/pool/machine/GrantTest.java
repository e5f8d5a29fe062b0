package org.rankunit.pool.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.pool.inventory.DeviceList;

@Tag("unit")
class GrantTest {

    private static final Machine EIGHT = machine(0, 8);

    @Test
    void withoutAnythingAllDevicesAreGranted() {
        assertThat(Grant.of(EIGHT, Map.of()))
                .isEqualTo(new Grant("all devices", List.of(0, 1, 2, 3, 4, 5, 6, 7), false, List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none    | {0=0, 1=1, 2=2, 3=3, 4=4, 5=5, 6=6, 7=7}",
                "2,3,7   | {2=0, 3=1, 7=2}",
                "2,x,7   | {2=0}",
                "''      | {}",
            })
    void theRuntimeCountsFromZeroAmongTheDevicesItIsLeftToSee(String visible, String ids) {
        Map<String, String> environment =
                visible.equals("none") ? Map.of() : Map.of("ASCEND_RT_VISIBLE_DEVICES", visible);
        assertThat(EIGHT.runtimeIds(environment)).hasToString(ids);
    }

    @Test
    void inAContainerTheRuntimeCountsFromItsFirstDevice() {
        assertThat(machine(4, 8).runtimeIds(Map.of())).hasToString("{4=0, 5=1, 6=2, 7=3}");
    }

    @Test
    void aSliceIsTakenAsItIsGiven() {
        Grant grant = Grant.of(EIGHT, Map.of(), "0,2-4,7");

        assertThat(grant.devices()).containsExactly(0, 2, 3, 4, 7);
        assertThat(grant.source()).isEqualTo("rankunit.devices = \"0,2-4,7\"");
        assertThat(grant.explicit()).isTrue();
        assertThat(EIGHT.inventory("a2a3", grant).devices()).containsExactly(0, 2, 3, 4, 7);
    }

    @Test
    void aSliceBeyondTheMachineIsRefusedWithWhatItHas() {
        assertThatThrownBy(() -> Grant.of(EIGHT, Map.of(), "4-9"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                        rankunit.devices = "4-9": devices 8 and 9 are not on this machine (it has 0-7).
                        Give a slice of 0-7, or leave the key out to use all of them.""");
        assertThatThrownBy(() -> Grant.of(EIGHT, Map.of(), "8"))
                .hasMessageStartingWith("rankunit.devices = \"8\": device 8 is not on this machine (it has 0-7).");
        assertThatThrownBy(() -> Grant.of(EIGHT, Map.of(), "7-11"))
                .hasMessageStartingWith("rankunit.devices = \"7-11\": devices 8-11 are not on this machine");
        assertThatThrownBy(() -> Grant.of(machine(0, 0), Map.of(), "0")).hasMessage("""
                        rankunit.devices = "0": device 0 is not on this machine (it has none).
                        Leave the key out here.""");
    }

    @Test
    void aSliceThatCannotBeReadIsRefusedWithTheKey() {
        assertThatThrownBy(() -> Grant.of(EIGHT, Map.of(), "4..7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                        rankunit.devices = "4..7": "4..7" is neither a device id nor a range of them.
                        Give ids and ranges with commas between them, such as 0,2-4,7.""");
    }

    @Test
    void aSliceLiesInsideWhatTheEnvironmentGrants() {
        Map<String, String> environment = Map.of("ASCEND_RT_VISIBLE_DEVICES", "4,5");

        assertThat(Grant.of(EIGHT, environment, "5").devices()).containsExactly(5);
        assertThatThrownBy(() -> Grant.of(EIGHT, environment, "4-7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                        rankunit.devices = "4-7": devices 6 and 7 are not granted to this process by \
                        ASCEND_RT_VISIBLE_DEVICES = "4,5" (it grants 4-5).
                        Give a slice of 4-5, or leave the key out to use all of them.""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,3,5       | 0, 3, 5 |",
                "7           | 7    |",
                "1,3,8       | 1, 3 | the runtime stops reading at \"8\", since places here end at 7",
                "'1, 2,3'    | 1    | the runtime stops reading at \" 2\", since it is not a number",
                "1,2,-1,3    | 1-2  | the runtime stops reading at \"-1\", since it is not a number",
                "2,2         | 2    | the runtime stops reading at \"2\", since numbers must ascend",
                "2,1         | 2    | the runtime stops reading at \"1\", since numbers must ascend",
                "0-3         | none | the runtime stops reading at \"0-3\", since it is not a number",
                "''          | none | the runtime stops reading at \"\", since it is not a number",
            })
    void whatTheRuntimeWouldSeeIsGranted(String value, String devices, String note) {
        Grant grant = Grant.of(EIGHT, Map.of("ASCEND_RT_VISIBLE_DEVICES", value));

        assertThat(DeviceList.format(grant.devices())).isEqualTo(devices);
        assertThat(grant.notes())
                .isEqualTo(
                        note == null ? List.of() : List.of("ASCEND_RT_VISIBLE_DEVICES = \"" + value + "\": " + note));
    }

    @Test
    void theRuntimeCountsTheDevicesOfAContainerFromZero() {
        Machine container = machine(4, 8);

        assertThat(Grant.of(container, Map.of("ASCEND_RT_VISIBLE_DEVICES", "1,3"))
                        .devices())
                .containsExactly(5, 7);
        assertThat(Grant.of(container, Map.of("ASCEND_RT_VISIBLE_DEVICES", "4,5"))
                        .notes())
                .containsExactly("ASCEND_RT_VISIBLE_DEVICES = \"4,5\": the runtime stops reading at \"4\", since places"
                        + " here end at 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0           | 0          |",
                "1,3         | 1, 3       |",
                "0-3,5       | 0-3, 5     |",
                "Ascend910-0,Ascend910-6 | 0, 6 |",
                "void        | none       | the container was given no device",
                "6-8         | 6-7        | device 8 is not among those that can be used here (0-7)",
                "1,all       | 1          | \"all\" is neither a device nor a range of them",
            })
    void whatTheContainerWasGivenIsGranted(String value, String devices, String note) {
        Grant grant = Grant.of(EIGHT, Map.of("ASCEND_VISIBLE_DEVICES", value));

        assertThat(DeviceList.format(grant.devices())).isEqualTo(devices);
        assertThat(grant.notes())
                .isEqualTo(note == null ? List.of() : List.of("ASCEND_VISIBLE_DEVICES = \"" + value + "\": " + note));
    }

    @Test
    void theContainerRuntimeNamesDevicesByTheirIds() {
        assertThat(Grant.of(machine(4, 8), Map.of("ASCEND_VISIBLE_DEVICES", "4-7"))
                        .devices())
                .containsExactly(4, 5, 6, 7);
    }

    @Test
    void theNearestVariableHolds() {
        Map<String, String> all = Map.of(
                "ASCEND_RT_VISIBLE_DEVICES", "1",
                "ASCEND_VISIBLE_DEVICES", "2",
                "SLURM_STEP_NPUS", "3");

        assertThat(Grant.of(EIGHT, all).devices()).containsExactly(1);
        assertThat(Grant.of(EIGHT, Map.of("ASCEND_VISIBLE_DEVICES", "2", "SLURM_STEP_NPUS", "3"))
                        .devices())
                .containsExactly(2);
        assertThat(Grant.of(EIGHT, Map.of("SLURM_STEP_NPUS", "3", "SLURM_JOB_NPUS", "3,4"))
                        .devices())
                .containsExactly(3);
    }

    @Test
    void inAJobThatIsConfinedAllDevicesThatCanBeOpenedAreItsOwn() {
        Grant grant = Grant.of(machine(4, 6), Map.of("SLURM_STEP_NPUS", "0,1"));

        assertThat(grant.devices()).containsExactly(4, 5);
        assertThat(grant.notes()).isEmpty();
    }

    @Test
    void inAJobThatIsNotConfinedSlurmsNumbersArePlaces() {
        Grant grant = Grant.of(EIGHT, Map.of("SLURM_JOB_NPUS", "3-4"));

        assertThat(grant.devices()).containsExactly(3, 4);
        assertThat(grant.notes())
                .singleElement()
                .asString()
                .startsWith("SLURM_JOB_NPUS = \"3-4\": it names 2 of 8 devices");
    }

    @Test
    void aNumberOfDevicesDoesNotTellWhich() {
        assertThat(Grant.of(EIGHT, Map.of("SLURM_NPUS_ON_NODE", "8")).devices()).hasSize(8);

        Grant two = Grant.of(EIGHT, Map.of("SLURM_NPUS_ON_NODE", "2"));

        assertThat(two.devices()).isEmpty();
        assertThat(EIGHT.whyNone("a2a3", two))
                .hasValue("this machine has devices 0-7 of a2a3, of which SLURM_NPUS_ON_NODE = \"2\" leaves none that"
                        + " fits; SLURM_NPUS_ON_NODE = \"2\": that does not tell which of the devices 0-7 are the job's,"
                        + " and RankUnit does not guess; set ASCEND_RT_VISIBLE_DEVICES to theirs");
    }

    @Test
    void aJobThatTellsNothingGetsWhatItMayOpen() {
        Grant grant = Grant.of(EIGHT, Map.of("SLURM_JOB_ID", "17"));

        assertThat(grant.devices()).hasSize(8);
        assertThat(grant.notes())
                .containsExactly(
                        "SLURM_JOB_ID = \"17\": nothing tells which devices are the job's; all that this process"
                                + " may open are taken");
    }

    @Test
    void aListOfSlurmThatCannotBeReadGrantsNone() {
        assertThat(Grant.of(EIGHT, Map.of("SLURM_STEP_NPUS", "npu:2")).devices())
                .isEmpty();
    }

    @Test
    void aMachineWithoutDevicesHasNothingToGrant() {
        for (String name : List.of(
                "ASCEND_RT_VISIBLE_DEVICES", "ASCEND_VISIBLE_DEVICES", "SLURM_STEP_NPUS", "SLURM_NPUS_ON_NODE")) {
            assertThat(Grant.of(machine(0, 0), Map.of(name, "0")).devices()).isEmpty();
        }
    }

    private static Machine machine(int from, int to) {
        List<NpuDevice> devices = IntStream.range(from, to)
                .mapToObj(id -> new NpuDevice(id, id - from, id, 0, "910B3", "a2a3", NpuHealth.OK, "OK", ""))
                .toList();
        return new Machine(devices, Map.of(), "npu-smi", List.of());
    }
}
