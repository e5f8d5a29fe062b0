package org.rankunit.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DeviceRefTest {

    @Test
    void aDeviceOfThisMachineIsNamedWithoutItsNode() {
        assertThat(DeviceRef.here(3).describe()).isEqualTo("device 3");
        assertThat(DeviceRef.here(3).isHere()).isTrue();
    }

    @Test
    void aDeviceOfAnotherMachineIsNamedWithItsNode() {
        assertThat(new DeviceRef("node1", 3).describe()).isEqualTo("device 3 of node node1");
        assertThat(new DeviceRef("node1", 3).isHere()).isFalse();
    }

    @Test
    void severalDevicesAreADeviceOnlyIfThereIsOne() {
        assertThat(DeviceRef.describe(here(3))).isEqualTo("device 3");
        assertThat(DeviceRef.describe(here(0, 1, 2, 3))).isEqualTo("devices 0-3");
    }

    @Test
    void theNumbersOfANodeAreListedTogetherWhereverTheyAre() {
        List<DeviceRef> mixed =
                List.of(new DeviceRef("b", 1), new DeviceRef("a", 7), new DeviceRef("b", 0), new DeviceRef("a", 5));

        assertThat(DeviceRef.list(mixed)).isEqualTo("0-1 of b, 5, 7 of a");
        assertThat(DeviceRef.describe(mixed)).isEqualTo("devices 0-1 of b, 5, 7 of a");
    }

    @Test
    void theNumbersOfThisMachineStandWithoutANode() {
        assertThat(DeviceRef.list(List.of(DeviceRef.here(4), new DeviceRef("a", 4))))
                .isEqualTo("4, 4 of a");
    }

    @Test
    void aNodesDevicesAreOrderedByNumberAndNotByText() {
        List<DeviceRef> devices = new ArrayList<>(
                List.of(new DeviceRef("b", 0), new DeviceRef("a", 10), new DeviceRef("a", 9), DeviceRef.here(99)));

        Collections.sort(devices);

        assertThat(devices)
                .containsExactly(
                        DeviceRef.here(99), new DeviceRef("a", 9), new DeviceRef("a", 10), new DeviceRef("b", 0));
    }

    @RepeatedTest(100)
    void theOrderSaysThatDevicesAreTheSameOnlyIfTheyAreEqual(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<DeviceRef> devices = random.ints(20, 0, 9)
                .mapToObj(n -> new DeviceRef("n" + random.nextInt(3), n))
                .toList();

        assertThat(new TreeSet<>(devices))
                .hasSize((int) devices.stream().distinct().count());
    }

    private static List<DeviceRef> here(int... ids) {
        List<DeviceRef> devices = new ArrayList<>();
        for (int id : ids) {
            devices.add(DeviceRef.here(id));
        }
        return devices;
    }
}
