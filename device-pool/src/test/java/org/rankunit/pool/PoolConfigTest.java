package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Inventory;

@Tag("unit")
class PoolConfigTest {

    @Test
    void byDefaultTheSimulatorsHaveSixteenDevicesAndTheHardwareNone() {
        PoolConfig defaults = PoolConfig.defaults();
        assertThat(defaults.folder())
                .isEqualTo(Path.of(
                        System.getProperty("java.io.tmpdir"), "rankunit-pool-" + System.getProperty("user.name")));
        assertThat(defaults.inventories().keySet()).containsExactly("a2a3", "a2a3sim", "a5", "a5sim");
        assertThat(defaults.inventories().values())
                .extracting(inventory -> inventory.devices().size())
                .containsExactly(0, 16, 0, 16);
    }

    @Test
    void aSliceReplacesWhatWasKnownOfItsPlatform() {
        PoolConfig config = PoolConfig.defaults().with(new Inventory("a2a3", DeviceList.parse("4-7")));
        assertThat(config.inventories()).containsEntry("a2a3", new Inventory("a2a3", List.of(4, 5, 6, 7)));
    }

    @Test
    void badValuesAreNamed() {
        assertThatThrownBy(() -> new LeaseRequest("a2a3sim", 0, "T"))
                .hasMessage("count = 0: a lease has at least 1 device.");
        assertThatThrownBy(() -> new LeaseRequest("../etc", 1, "T"))
                .hasMessageStartingWith("platform = \"../etc\": a platform's name has");
        assertThatThrownBy(() -> new LeaseRequest("a2a3sim", 1, " "))
                .hasMessageStartingWith("test = \" \": name the test");
        assertThatThrownBy(() -> new Inventory("a2a3", List.of(0, 2, 2)))
                .hasMessage("devices of a2a3: 2 follows 2; ids must ascend without duplicates.");
        assertThatThrownBy(() -> new Inventory("a2a3", List.of(-1)))
                .hasMessage("devices of a2a3: -1 is not a device id; ids are in [0, 9999].");
        assertThatThrownBy(() -> Inventory.ofFirst(-1, "a2a3")).hasMessage("devices of a2a3: count = -1 is negative.");
        assertThatThrownBy(() -> new LeaseRequest("a2a3sim", 1, "T").expecting(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageStartingWith("expected = PT2562047788015215H30M7S: give at most PT876000H, or nothing if");
        assertThatThrownBy(() -> PoolConfig.defaults().quarantining(Duration.ofDays(36_501)))
                .hasMessage("quarantine = PT876024H: give at most PT876000H.");
        assertThatThrownBy(() -> new PoolConfig(Path.of("x"), Map.of("a5", Inventory.ofFirst(1, "a2a3"))))
                .hasMessage("inventories: the devices of a2a3 are filed under a5.");
    }
}
