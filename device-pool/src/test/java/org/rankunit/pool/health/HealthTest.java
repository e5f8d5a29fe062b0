package org.rankunit.pool.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.await;
import static org.rankunit.pool.Pools.devices;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseTimeoutException;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.QuarantineException;
import org.rankunit.pool.health.DeviceHealth.Quarantined;
import org.rankunit.pool.health.DeviceHealth.Sound;
import org.rankunit.pool.health.DeviceHealth.Suspect;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.Sharing;

/** What becomes of devices that may not be sound. */
@Tag("ranks")
@Timeout(60)
class HealthTest {

    /** Finds fault with the devices it was told to, and remembers which it was asked for. */
    private static final class Probe implements DeviceProbe {
        private final Set<Integer> broken;
        private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

        Probe(Integer... broken) {
            this.broken = Set.of(broken);
        }

        @Override
        public Optional<String> probe(String platform, int device) {
            asked.add(device);
            return broken.contains(device) ? Optional.of("no answer") : Optional.empty();
        }

        @Override
        public Duration limit() {
            return Duration.ofSeconds(5);
        }
    }

    @TempDir
    Path folder;

    @Test
    void soundDevicesAreLentBeforeSuspectOnesThatAreNotProbedForNothing() throws Exception {
        Probe probe = new Probe();
        DevicePool pool = pool(4, probe);
        suspect(pool, 0, 1);

        try (DeviceLease lease = pool.lease(devices(2), SOON)) {
            assertThat(lease.devices()).containsExactly(2, 3);
        }
        assertThat(probe.asked).isEmpty();
    }

    @Test
    void aSuspectDeviceIsProbedBeforeItIsLentAgain() throws Exception {
        Probe probe = new Probe();
        DevicePool pool = pool(2, probe);
        suspect(pool, 1);
        assertThat(pool.tryLease(devices(2))).as("does not wait for a probe").isEmpty();

        try (DeviceLease lease = pool.lease(devices(2), SOON)) {
            assertThat(lease.devices()).containsExactly(0, 1);
        }
        assertThat(probe.asked).containsExactly(1);
        assertThat(pool.status(PLATFORM)).allMatch(status -> status.health() instanceof Sound);
    }

    @Test
    void aDeviceThatFailsItsProbeIsNotLentUntilItIsCleared() throws Exception {
        DevicePool pool = pool(2, new Probe(1));
        suspect(pool, 1);

        assertThatThrownBy(() -> pool.lease(devices(2), SOON))
                .isInstanceOf(QuarantineException.class)
                .hasMessageStartingWith("needs 2 devices, a2a3sim has 1 that can be lent: 1 in quarantine until ")
                .hasMessageEndingWith(
                        " (no answer).\nRepair it and take it out of quarantine with \"rankunit clear\", or use"
                                + " other devices.");
        assertThat(pool.lease(devices(1), SOON).devices()).containsExactly(0);
        assertThat(pool.clear(PLATFORM, 1))
                .isInstanceOfSatisfying(
                        Quarantined.class, health -> assertThat(health.reason()).isEqualTo("no answer"));
        assertThat(pool.lease(devices(1), SOON).devices()).containsExactly(1);
    }

    @Test
    void aDeviceInQuarantineKeepsNobodyFromTheOthers() throws Exception {
        DevicePool pool = pool(3, new Probe(0));
        suspect(pool, 0);
        assertThat(pool.probe(PLATFORM, 0).orElseThrow()).isInstanceOf(Quarantined.class);
        DeviceLease held = pool.lease(devices(1), SOON);
        assertThatThrownBy(() -> pool.lease(devices(3), SOON)).isInstanceOf(QuarantineException.class);
        assertThat(pool.tryLease(devices(1)).map(DeviceLease::devices)).contains(List.of(2));
        held.close();
    }

    @Test
    void aQuarantineThatIsOverIsASuspicion() throws Exception {
        Probe probe = new Probe();
        DevicePool pool = pool(1, probe);
        new HealthFile(folder.resolve(prepared(pool)), 0, Sharing.ONE_USER)
                .write(new Quarantined(
                        "no answer",
                        Instant.now().minusSeconds(60),
                        Instant.now().minusSeconds(1)));

        assertThat(pool.status(PLATFORM).get(0).health())
                .isInstanceOfSatisfying(
                        Suspect.class, health -> assertThat(health.reason()).isEqualTo("was quarantined: no answer"));
        pool.lease(devices(1), SOON).close();
        assertThat(probe.asked).containsExactly(0);
    }

    @Test
    void whileADeviceIsProbedItIsHeldAndOthersSeeByWhat() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        DevicePool pool = pool(1, new DeviceProbe() {
            @Override
            public Optional<String> probe(String platform, int device) throws InterruptedException {
                go.await();
                return Optional.empty();
            }

            @Override
            public Duration limit() {
                return SOON;
            }
        });
        suspect(pool, 0);
        assertThatThrownBy(() -> pool.lease(devices(1), Duration.ofMillis(200)))
                .isInstanceOf(LeaseTimeoutException.class)
                .hasMessageContaining("0 held by pid " + ProcessHandle.current().pid() + " (probe of device 0)");
        assertThat(pool.probe(PLATFORM, 0)).as("it is probed already").isEmpty();
        go.countDown();
        pool.lease(devices(1), SOON).close();
    }

    @Test
    void aProbeThatIsAskedForTellsWhatItFoundAndAHeldDeviceIsLeftAlone() throws Exception {
        Probe probe = new Probe(1);
        DevicePool pool = pool(3, probe);
        try (DeviceLease lease = pool.lease(devices(1), SOON)) {
            assertThat(pool.probe(PLATFORM, 0)).as("held by %s", lease).isEmpty();
        }
        assertThat(pool.probe(PLATFORM, 0)).contains(new Sound());
        assertThat(pool.probe(PLATFORM, 1).orElseThrow()).isInstanceOf(Quarantined.class);
        assertThatThrownBy(() -> pool.probe(PLATFORM, 3))
                .hasMessage("device 3 does not belong to this pool, which has 0-2 of a2a3sim.");
        assertThat(probe.asked).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void aProbeCommandTellsByItsStatusAndItsLastLine() throws Exception {
        assertThat(shell("exit 0").probe("a2a3", 5)).isEmpty();
        assertThat(shell("echo first; echo platform $1 device $2; echo; exit 3").probe("a2a3", 5))
                .contains("the probe ended with status 3: platform a2a3 device 5");
        assertThat(new ProbeCommand(List.of("sh", "-c", "exit $STATUS", "sh"), Map.of("STATUS", "4"), SOON)
                        .probe("a2a3", 5))
                .contains("the probe ended with status 4");
        assertThat(new ProbeCommand(List.of("/no/such/program"), Map.of(), SOON).probe("a2a3", 5))
                .hasValueSatisfying(text -> assertThat(text).startsWith("the probe could not be run: "));
    }

    @Test
    void aProbeCommandThatHangsIsKilledWithItsChildren() throws Exception {
        Path pids = folder.resolve("pids");
        ProbeCommand hangs = new ProbeCommand(
                List.of("sh", "-c", "echo waiting; sleep 1000 & echo $$ $! > " + pids + "; wait", "sh"),
                Map.of(),
                Duration.ofMillis(400));

        assertThat(hangs.probe("a2a3", 5)).contains("the probe gave no answer within 400 ms: waiting");
        for (String pid : Files.readString(pids).strip().split(" ", -1)) {
            await(
                    "process " + pid + " has ended",
                    () -> ProcessHandle.of(Long.parseLong(pid))
                            .map(process -> !process.isAlive())
                            .orElse(true));
        }
    }

    private static ProbeCommand shell(String script) {
        return new ProbeCommand(List.of("sh", "-c", script, "sh"), Map.of(), SOON);
    }

    private DevicePool pool(int devices, DeviceProbe probe) {
        return DevicePool.open(new PoolConfig(folder, Map.of())
                .with(Inventory.ofFirst(devices, PLATFORM))
                .probing(probe));
    }

    private static String prepared(DevicePool pool) throws InterruptedException {
        pool.lease(devices(1), SOON).close();
        return PLATFORM;
    }

    private static void suspect(DevicePool pool, int... suspects) throws InterruptedException {
        int all = pool.inventory(PLATFORM).devices().size();
        try (DeviceLease lease = pool.lease(devices(all), SOON)) {
            for (int device : suspects) {
                lease.suspect(device, "rank " + device + " was killed");
            }
        }
    }
}
