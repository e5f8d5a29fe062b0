package org.rankunit.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.machine.Machine;
import org.rankunit.pool.machine.NpuDevice;
import org.rankunit.pool.machine.NpuHealth;

@Tag("ranks")
class PoolSetupTest {

    private static final Machine LAPTOP = new Machine(List.of(), Map.of(), "/dev/davinci*", List.of());
    private static final Machine SERVER = new Machine(
            IntStream.range(0, 8)
                    .mapToObj(id -> new NpuDevice(id, id, id, 0, "910B3", "a2a3", NpuHealth.OK, "OK", "0000:C1:00.0"))
                    .toList(),
            Map.of("a2a3", Topology.FLAT),
            "npu-smi",
            List.of());

    @Test
    void withoutASliceAllDevicesMayBeUsed() {
        PoolSetup setup = setup(SERVER, null, null, Map.of());
        assertThat(devices(setup, "a2a3")).hasSize(8);
        assertThat(devices(setup, "a2a3sim")).hasSize(4);
        assertThat(setup.slice()).isEmpty();
    }

    @Test
    void aSliceIsOfTheHardwareWhereThereIsAny() {
        PoolSetup setup = setup(SERVER, "4-7", null, Map.of());
        assertThat(devices(setup, "a2a3")).containsExactly(4, 5, 6, 7);
        assertThat(devices(setup, "a2a3sim")).hasSize(4);
        assertThat(setup.slice()).contains("rankunit.devices = \"4-7\"");
    }

    @Test
    void whatTheEnvironmentGrantsIsASliceToo() {
        PoolSetup setup = setup(SERVER, null, null, Map.of("ASCEND_RT_VISIBLE_DEVICES", "2,3"));
        assertThat(devices(setup, "a2a3")).containsExactly(2, 3);
        assertThat(setup.slice()).hasValueSatisfying(slice -> assertThat(slice).contains("ASCEND_RT_VISIBLE_DEVICES"));
    }

    @Test
    void aSliceIsOfTheSimulatorWhereThereIsNoHardwareOrTheSimulatorIsWanted() {
        assertThat(devices(setup(LAPTOP, "2-3", null, Map.of()), "a2a3sim")).containsExactly(2, 3);
        PoolSetup wanted = setup(SERVER, "2-3", Platform.A2A3SIM, Map.of());
        assertThat(devices(wanted, "a2a3sim")).containsExactly(2, 3);
        assertThat(devices(wanted, "a2a3")).hasSize(8);
    }

    @Test
    void aSliceOfWhatIsNotThereIsRefused() {
        assertThatThrownBy(() -> setup(LAPTOP, "2-5", null, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("rankunit.devices = \"2-5\": the simulator has no device 4-5, it has 0-3.\n"
                        + "Give a slice of these, or set rankunit.sim.devices.");
        assertThatThrownBy(() -> setup(SERVER, "4-9", null, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("rankunit.devices = \"4-9\": devices 8 and 9 are not on this machine (it has 0-7).\n"
                        + "Give a slice of 0-7, or leave the key out to use all of them.");
        assertThatThrownBy(() -> setup(LAPTOP, "x", null, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("rankunit.devices = \"x\": ");
    }

    @Test
    void aSimulatedDeviceIsProbedByAProcessAndOneThatIsToFailDoes() throws Exception {
        DeviceProbe probe = setup(LAPTOP, null, null, Map.of()).config().probe().orElseThrow();
        assertThat(probe.probe("a2a3sim", 0)).isEmpty();
        assertThat(probe.probe("a2a3sim", 1))
                .contains("the probe ended with status 1: device 1 (a2a3sim), synchronize: error 507899, which"
                        + " RANKUNIT_SIM_FAULTS gives to this device");
        assertThat(probe.probe("a9", 0))
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("the probe ended with status 1: device 0 (a9): no communication library"));
    }

    private static PoolSetup setup(
            Machine machine, @Nullable String slice, @Nullable Platform platform, Map<String, String> environment) {
        return PoolSetup.of(
                machine,
                Optional.of(Path.of("pool")),
                Optional.ofNullable(slice),
                4,
                Optional.ofNullable(platform),
                "1:507899",
                environment);
    }

    private static List<Integer> devices(PoolSetup setup, String platform) {
        return Optional.ofNullable(setup.config().inventories().get(platform))
                .orElseThrow()
                .devices();
    }
}
