package org.rankunit.pool.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.pool.inventory.Topology;

@Tag("unit")
class MachineTest {

    @TempDir
    Path root;

    @Test
    void anA2ServerHasOneGroupOfEightDevicesOfTheirOwn() {
        Machine machine = Sample.in(root).ofKind("a2").withDevices(0, 7).machine();

        assertThat(machine.ids()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(machine.devices().get(3))
                .isEqualTo(new NpuDevice(3, 3, 3, 0, "910B3", "a2a3", NpuHealth.OK, "OK", "0000:82:00.0"));
        assertThat(machine.source()).isEqualTo("npu-smi");
        assertThat(machine.notes()).isEmpty();
        assertThat(topology(machine, "a2a3").rules().name()).isEqualTo("Atlas A2");
        assertThat(topology(machine, "a2a3").groups()).containsExactly(range(0, 8));
        assertThat(topology(machine, "a2a3").packages()).allMatch(members -> members.size() == 1);
    }

    @Test
    void onAnA3ServerBothDiesOfAnNpuAreOnePackage() {
        Machine machine = Sample.in(root).ofKind("a3").withDevices(0, 15).machine();

        assertThat(machine.ids()).hasSize(16);
        assertThat(machine.notes()).isEmpty();
        assertThat(topology(machine, "a2a3").rules().wholePackages()).isTrue();
        assertThat(topology(machine, "a2a3").groups()).containsExactly(range(0, 16));
        assertThat(topology(machine, "a2a3").packages()).hasSize(8).contains(range(0, 2), range(14, 16));
    }

    @Test
    void anA5ServerIsOfAnotherPlatform() {
        Machine machine = Sample.in(root).ofKind("a5").withDevices(0, 7).machine();

        assertThat(machine.inventory("a5", all(machine)).devices()).hasSize(8);
        assertThat(machine.inventory("a2a3", all(machine)).devices()).isEmpty();
        assertThat(machine.whyNone("a5", all(machine))).isEmpty();
        assertThat(machine.whyNone("a2a3", all(machine))).hasValue("this machine has no device of a2a3");
        assertThat(topology(machine, "a5").groups()).containsExactly(range(0, 8));
    }

    @Test
    void aHeaderThatNamesAColumnTwiceIsToldAndTheMappingCounts() {
        Machine machine = Sample.in(root)
                .ofKind("a2")
                .answering("info", Sample.text("a2-info.txt").replaceFirst("NPU   Name", "NPU Name Name"))
                .withDevices(0, 7)
                .machine();

        assertThat(machine.ids()).hasSize(8);
        assertThat(machine.notes())
                .containsExactly("what \"npu-smi info\" wrote was not understood: its header names the column \"name\""
                        + " twice; devices are taken from \"npu-smi info -m\", their health is not known");
    }

    @Test
    void linksThatNpuSmiTellsGoBeforeTheTable() {
        String sixteen = a2Info(IntStream.range(0, 16).toArray());

        Machine told = Sample.in(root.resolve("told"))
                .answering("info", sixteen)
                .answering("info -t topo", Sample.text("box16-topo.txt").replace("SYS", "HCCS"))
                .withDevices(0, 15)
                .machine();
        Machine numbered = Sample.in(root.resolve("numbered"))
                .answering("info", sixteen)
                .withDevices(0, 15)
                .machine();

        assertThat(topology(told, "a2a3").groups()).containsExactly(range(0, 16));
        assertThat(topology(numbered, "a2a3").groups()).containsExactly(range(0, 8), range(8, 16));
        assertThat(topology(numbered, "a2a3").rules().name()).isEqualTo("Atlas A2 Box16");
    }

    @Test
    void aDeviceWhoseHealthIsBadIsUsedOnlyIfItIsNamed() {
        Machine machine = Sample.in(root)
                .ofKind("a2")
                .answering("info", Sample.text("a2-info.txt").replaceFirst("(\\| 2     910B3 +\\|) OK   ", "$1 Alarm"))
                .withDevices(0, 7)
                .machine();

        assertThat(machine.devices().get(2).health()).isEqualTo(NpuHealth.ALARM);
        assertThat(machine.notes())
                .containsExactly("device 2 is in health Alarm: it is used only where it is asked for by its id");
        assertThat(machine.inventory("a2a3", all(machine)).devices()).containsExactly(0, 1, 3, 4, 5, 6, 7);
        assertThat(machine.inventory("a2a3", Grant.of(machine, Map.of(), "1-2")).devices())
                .containsExactly(1, 2);
    }

    @ParameterizedTest
    @CsvSource({"OK, OK", "Warning, WARNING", "Alarm, ALARM", "critical, CRITICAL", "Fine, UNKNOWN", "'', UNKNOWN"})
    void healthIsReadInAnyCase(String text, NpuHealth health) {
        assertThat(NpuHealth.of(text)).isEqualTo(health);
    }

    @Test
    void aChipThatIsNotKnownIsLeftOut() {
        Machine machine = Sample.in(root)
                .answering("info", Sample.text("a2-info.txt").replaceAll("(\\| [67]     )910B3", "$1310P3"))
                .withDevices(0, 7)
                .machine();

        assertThat(machine.ids()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(machine.notes()).containsExactly("chip \"310P3\" is not known: devices 6-7 are left out");
    }

    @Test
    void chipsOfSeveralKindsHaveNoRule() {
        Machine machine = Sample.in(root)
                .answering("info", Sample.text("a2-info.txt").replaceAll("(\\| [67]     )910B3", "$1910_9391"))
                .withDevices(0, 7)
                .machine();

        assertThat(topology(machine, "a2a3")).isEqualTo(Topology.FLAT);
        assertThat(machine.notes())
                .containsExactly("the chips of a2a3 are of several kinds: no rule holds for leases of them");
    }

    @Test
    void inAContainerDevicesKeepTheirIdsAndGetPlacesFromZero() {
        Machine machine = Sample.in(root)
                .answering("info", a2Info(4, 5, 6, 7))
                .answering("info -m", "NPU ID Chip ID Chip Logic ID Chip Name\n4 0 0 x\n5 0 1 x\n6 0 2 x\n7 0 3 x\n")
                .withDevices(4, 7)
                .machine();

        assertThat(machine.ids()).containsExactly(4, 5, 6, 7);
        assertThat(machine.devices()).extracting(NpuDevice::index).containsExactly(0, 1, 2, 3);
    }

    @Test
    void whereNpusAreNumberedBySlotsLogicIdsNameTheNodes() {
        Machine machine = Sample.in(root)
                .answering("info", a2Info(1, 2, 5))
                .answering("info -m", "NPU ID Chip ID Chip Logic ID Chip Name\n1 0 0 x\n2 0 1 x\n5 0 2 x\n")
                .withDevices(0, 2)
                .machine();

        assertThat(machine.ids()).containsExactly(0, 1, 2);
        assertThat(machine.devices()).extracting(NpuDevice::npu).containsExactly(1, 2, 5);
    }

    @Test
    void oneDieOfAnA3IsNotTakenForAnOlderChip() {
        Machine machine =
                Sample.in(root).answering("info", """
                        | NPU Name | Health | Power(W) |
                        | Chip Phy-ID | Bus-Id | AICore(%) |
                        | 6 Ascend910 | OK | - |
                        | 0 12 | 0000:85:00.0 | 0 |
                        """).withDevices(12, 12).machine();

        assertThat(machine.devices()).extracting(NpuDevice::platform).containsExactly("a2a3");
        assertThat(machine.devices()).extracting(NpuDevice::id).containsExactly(12);
        assertThat(machine.devices()).extracting(NpuDevice::index).containsExactly(0);
    }

    @Test
    void devicesThatThisProcessMayNotOpenAreLeftOutAndHaveNoPlace() {
        Machine machine = Sample.in(root)
                .ofKind("a2")
                .withClosedDevice(0)
                .withClosedDevice(1)
                .withDevices(2, 7)
                .machine();

        assertThat(machine.ids()).containsExactly(2, 3, 4, 5, 6, 7);
        assertThat(machine.devices()).extracting(NpuDevice::index).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(machine.notes())
                .containsExactly(
                        "devices 0-1 are left out: this process may not open their nodes, by the permissions in"
                                + " /dev or the device rules of its cgroup");
    }

    @Test
    void aNodeThatNpuSmiDoesNotListIsLeftOut() {
        Machine machine = Sample.in(root).ofKind("a3").withDevices(0, 16).machine();

        assertThat(machine.ids()).hasSize(16);
        assertThat(machine.notes()).containsExactly("device 16 is left out: npu-smi does not list it");
    }

    @Test
    void aDeviceThatNpuSmiListsWithoutANodeIsLeftOut() {
        Machine machine = Sample.in(root).ofKind("a3").withDevices(0, 13).machine();

        assertThat(machine.ids()).hasSize(14);
        assertThat(machine.notes())
                .containsExactly("devices 14-15 are left out: npu-smi lists them, but there is no such /dev/davinci*");
    }

    @Test
    void aMachineWithoutNodesIsNotAskedAnyFurther() {
        Machine machine = Machine.detect(root, arguments -> {
            throw new AssertionError(arguments);
        });

        assertThat(machine.devices()).isEmpty();
        assertThat(machine.notes())
                .containsExactly(
                        "there is no /dev/davinci*: this machine has no NPU, or this container was given none");
        assertThat(machine.whyNone("a2a3", all(machine)))
                .hasValueSatisfying(why -> assertThat(why)
                        .isEqualTo("this machine has no device of a2a3; there is no /dev/davinci*: this machine has no"
                                + " NPU, or this container was given none"));
    }

    @ParameterizedTest
    @CsvSource({
        "devmm_svm, hisi_hdc, a2a3",
        "ummu, hisi_hdc, a5",
        "uburma, devmm_svm, a5",
        "davinci_manager, hisi_hdc, a5",
    })
    void withoutNpuSmiTheOtherNodesTellThePlatform(String one, String other, String platform) {
        Machine machine =
                Sample.in(root).withDevices(0, 3).withNodes(one, other).machine();

        assertThat(machine.devices())
                .hasSize(4)
                .contains(new NpuDevice(3, 3, -1, -1, "", platform, NpuHealth.UNKNOWN, "", ""));
        assertThat(topology(machine, platform)).isEqualTo(Topology.FLAT);
        assertThat(machine.source()).isEqualTo("/dev/davinci*");
        assertThat(machine.notes())
                .containsExactly(
                        "npu-smi is not on the path",
                        "chips, health and links of the devices are not known: any may be leased together");
    }

    @Test
    void withoutNpuSmiAndOtherNodesThePlatformIsNotGuessed() {
        Machine machine = Sample.in(root)
                .withDevices(0, 3)
                .withNodes("davinci_manager", "davinci_manager_docker")
                .machine();

        assertThat(machine.devices()).isEmpty();
        assertThat(machine.notes()).anyMatch(note -> note.startsWith("devices 0-3 are left out: the other nodes"));
    }

    @Test
    void whereTheTableCannotBeReadTheMappingIsTaken() {
        Machine machine = Sample.in(root)
                .ofKind("a3")
                .answering("info", "garbage")
                .withDevices(0, 15)
                .machine();

        assertThat(machine.ids()).hasSize(16);
        assertThat(machine.devices()).extracting(NpuDevice::health).containsOnly(NpuHealth.UNKNOWN);
        assertThat(topology(machine, "a2a3").packages()).hasSize(8);
        assertThat(machine.notes())
                .containsExactly("what \"npu-smi info\" wrote was not understood; devices are taken from"
                        + " \"npu-smi info -m\", their health is not known");
    }

    @Test
    void aHangingNpuSmiIsAskedOnceAndTheNodesAreTaken() {
        Machine machine = Sample.in(root)
                .failing("info", "\"npu-smi info\" did not end within 10 s")
                .withDevices(0, 7)
                .withNodes("devmm_svm")
                .machine();

        assertThat(machine.ids()).hasSize(8);
        assertThat(machine.notes()).startsWith("\"npu-smi info\" did not end within 10 s");
    }

    @Test
    void whatNpuSmiDoesNotTellOfLinksIsTakenFromTheTable() {
        Machine machine = Sample.in(root)
                .ofKind("a2")
                .failing("info -t topo", "\"npu-smi info -t topo\" ended with exit code 1")
                .withDevices(0, 7)
                .machine();

        assertThat(topology(machine, "a2a3").groups()).containsExactly(range(0, 8));
        assertThat(machine.notes()).containsExactly("\"npu-smi info -t topo\" ended with exit code 1");
    }

    @Test
    void aMachineOfWhichNothingCanBeOpenedSaysSo() {
        Machine machine = Sample.in(root).ofKind("a2").withClosedDevice(3).machine();

        assertThat(machine.devices()).isEmpty();
        assertThat(machine.notes()).singleElement().asString().startsWith("device 3 is left out: this process may not");
    }

    @Test
    void nodesThatWereGivenOtherNumbersAreTakenAsTheyAre() {
        Machine machine = Sample.in(root)
                .ofKind("a3")
                .withNodes("davinci100", "davinci101", "devmm_svm")
                .machine();

        assertThat(machine.ids()).containsExactly(100, 101);
        assertThat(machine.source()).isEqualTo("/dev/davinci*");
    }

    @Test
    void whereNpuSmiNumbersTheDevicesOfAJobAnewTheNodesThatCanBeOpenedAreTaken() {
        Machine machine = Sample.in(root)
                .answering("info", a2Info(0, 1))
                .withClosedDevice(0)
                .withClosedDevice(1)
                .withDevices(2, 3)
                .withNodes("devmm_svm")
                .machine();

        assertThat(machine.ids()).containsExactly(2, 3);
        assertThat(machine.notes()).contains("what npu-smi lists does not agree with /dev/davinci*");
    }

    @Test
    void outputThatWasCutCostsTheDevicesItDoesNotTell() {
        String text = Sample.text("a2-info.txt");
        Machine machine = Sample.in(root)
                .answering("info", text.substring(0, text.indexOf("| 5     910B3")))
                .withDevices(0, 7)
                .machine();

        assertThat(machine.ids()).containsExactly(0, 1, 2, 3, 4);
        assertThat(machine.notes()).containsExactly("devices 5-7 are left out: npu-smi does not list them");
    }

    @Test
    void chipsThatNoNumberTiesToTheNodesAreNotGuessed() {
        Machine machine = Sample.in(root)
                .answering("info", a2Info(4, 5))
                .withDevices(0, 1)
                .withNodes("devmm_svm")
                .machine();

        assertThat(machine.source()).isEqualTo("/dev/davinci*");
        assertThat(machine.notes()).startsWith("what npu-smi lists does not agree with /dev/davinci*");
    }

    private static String a2Info(int... npus) {
        StringBuilder text = new StringBuilder("| NPU Name | Health | Power(W) |\n| Chip | Bus-Id | AICore(%) |\n");
        for (int npu : npus) {
            text.append("| ").append(npu).append(" 910B3 | OK | 100 |\n| 0 | 0000:C1:00.0 | 0 |\n");
        }
        return text.toString();
    }

    private static Grant all(Machine machine) {
        return Grant.of(machine, Map.of());
    }

    private static Topology topology(Machine machine, String platform) {
        return Objects.requireNonNull(machine.topologies().get(platform));
    }

    private static SortedSet<Integer> range(int from, int to) {
        SortedSet<Integer> range = new TreeSet<>();
        IntStream.range(from, to).forEach(id -> range.add(id));
        return range;
    }
}
