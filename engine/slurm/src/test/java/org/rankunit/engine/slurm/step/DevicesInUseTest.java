package org.rankunit.engine.slurm.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.config.SlurmSettings.DeviceIds;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.protocol.DeviceRef;

@Tag("unit")
class DevicesInUseTest {

    private static final DeviceRef DEVICE = new DeviceRef("node1", 3);
    private static final String TOLD = "SLURM_STEP_GPUS";
    private static final String COUNTED = "counted";

    private final AtomicInteger told = new AtomicInteger();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = System.out;

    @BeforeEach
    void catchOutput() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveOutputBack() {
        System.setOut(out);
    }

    @Test
    void aDeviceHasOneRankAtATime() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.STEP, told::incrementAndGet);
        StepRank first = rank(0, "first.log");
        StepRank second = rank(5, "second.log");

        assertThat(devices.claim(first, DEVICE, TOLD)).isEmpty();
        assertThat(devices.claim(second, DEVICE, TOLD))
                .contains("has device 3 of node node1 (SLURM_STEP_GPUS), which rank 0 in first.log has, too");
        devices.release(first);
        assertThat(devices.claim(second, DEVICE, TOLD)).isEmpty();
    }

    @Test
    void aRankMaySayTwiceThatItHasItsDevice() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.STEP, told::incrementAndGet);
        StepRank rank = rank(0, "first.log");
        devices.claim(rank, DEVICE, TOLD);

        assertThat(devices.claim(rank, DEVICE, TOLD)).isEmpty();
    }

    @Test
    void devicesOfOtherNodesAndOtherNumbersAreOthers() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.STEP, told::incrementAndGet);
        devices.claim(rank(0, "a"), DEVICE, TOLD);

        assertThat(devices.claim(rank(1, "b"), new DeviceRef("node1", 4), TOLD)).isEmpty();
        assertThat(devices.claim(rank(2, "c"), new DeviceRef("node2", 3), TOLD)).isEmpty();
    }

    @Test
    void aRankThatEndsGivesNoDeviceOfAnotherBack() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.STEP, told::incrementAndGet);
        StepRank second = rank(1, "b");
        devices.claim(rank(0, "a"), DEVICE, TOLD);
        devices.claim(second, DEVICE, TOLD);

        devices.release(second);

        assertThat(devices.claim(second, DEVICE, TOLD)).isPresent();
    }

    @Test
    void whoeverIsToldItsDeviceTellsThatStepsAreTold() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.STEP, told::incrementAndGet);

        devices.claim(rank(0, "a"), DEVICE, COUNTED);
        assertThat(told).hasValue(0);
        devices.claim(rank(1, "b"), new DeviceRef("node1", 4), TOLD);
        assertThat(told).hasValue(1);
    }

    @Test
    void thatRanksCountTheirDevicesIsSaidOnceWithWhatToDo() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.STEP, told::incrementAndGet);
        devices.claim(rank(0, "a"), DEVICE, COUNTED);
        devices.claim(rank(1, "b"), new DeviceRef("node2", 3), COUNTED);

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("rankunit: nothing tells the ranks on node1 which devices they have")
                .contains("set rankunit.slurm.device-ids = job")
                .doesNotContain("node2");
    }

    @Test
    void ranksThatAreToldTheirDevicesCauseNoAdvice() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.JOB, told::incrementAndGet);
        devices.claim(rank(0, "a"), DEVICE, "RANKUNIT_DEVICES");

        assertThat(printed.size()).isZero();
    }

    @Test
    void whereEachStepSeesOnlyItsOwnDevicesEqualNumbersAreDifferentDevices() {
        DevicesInUse devices = new DevicesInUse(DeviceIds.COUNT, told::incrementAndGet);

        assertThat(devices.claim(rank(0, "a"), DEVICE, COUNTED)).isEmpty();
        assertThat(devices.claim(rank(0, "b"), DEVICE, COUNTED)).isEmpty();
        assertThat(printed.size()).isZero();
    }

    /** A rank of which only its number and its log matter: what it would need of the launcher is not used. */
    @SuppressWarnings("NullAway")
    private static StepRank rank(int rank, String log) {
        return new StepRank(
                rank, DEVICE, new StepPart(0, List.of(DEVICE.node()), 1), false, new RankLog(Path.of(log)), null);
    }
}
