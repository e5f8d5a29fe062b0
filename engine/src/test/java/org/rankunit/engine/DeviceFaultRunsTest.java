package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.DeviceFaultCases;
import org.rankunit.engine.cases.MadeKernel;
import org.rankunit.engine.launch.local.RunLeftovers;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.inventory.Inventory;

/** A device of the simulator gives the vendor's errors: what becomes of its tests, and of the device. */
@Tag("ranks")
@Timeout(120)
class DeviceFaultRunsTest {

    @TempDir
    Path folder;

    private RunLeftovers leftovers;

    @BeforeAll
    static void compile() throws Exception {
        MadeKernel.thatPasses("nothing");
    }

    @BeforeEach
    void watch() throws IOException {
        leftovers = RunLeftovers.watch(folder);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(leftovers.all(4)).isEmpty();
        leftovers.close();
    }

    @Test
    void aTestThatFailsBecauseOfADevicePassesOnOthersAndThatIsSaid() throws IOException {
        EngineRun run = run(4, "1:507015", DeviceFaultCases.Launching.class);

        assertThat(run.results(DeviceFaultCases.Launching.class))
                .containsExactly(
                        "SUCCESSFUL aLaunches(RankContext)",
                        "SUCCESSFUL bPasses(RankContext)",
                        "SUCCESSFUL cLaunches(int, RankContext)[1]",
                        "SUCCESSFUL cLaunches(int, RankContext)[2]");
        assertThat(run.imbalance()).isEmpty();
        String said =
                "DeviceFaultCases.Launching.aLaunches [2 ranks, a2a3sim] was run again on other devices, since on 0-1"
                        + " device 1 (rank 1) failed with 507015 (AICORE_EXCEPTION); it did not fail on 2-3";
        assertThat(run.output()).contains("rankunit: " + said);
        assertThat(run.reportEntries()).containsExactly("aLaunches(RankContext) {rankunit.retried=" + said + "}");
        assertThat(Files.readString(folder.resolve("out/report.json")))
                .containsOnlyOnce(
                        "\"retry\" : \"run again on other devices, since on 0-1 device 1 (rank 1) failed with");
    }

    @Test
    void theDeviceIsSuspectAndTheNextLeaseOfItProbesItAndPutsItIntoQuarantine() {
        run(4, "1:507015", DeviceFaultCases.Launching.class);
        assertThat(health(4).get(0)).isInstanceOf(DeviceHealth.Sound.class);
        assertThat(health(4).get(1))
                .isInstanceOfSatisfying(
                        DeviceHealth.Suspect.class,
                        suspect -> assertThat(suspect.reason())
                                .startsWith("rank 1 failed with 507015 (AICORE_EXCEPTION), see "));

        EngineRun next = run(2, "1:507015", DeviceFaultCases.Launching.class);

        assertThat(next.messages())
                .hasSize(3)
                .allSatisfy(message -> assertThat(message)
                        .contains("needs 2 devices, a2a3sim has 1 that can be lent: 1 in quarantine until ")
                        .contains("error 507015, which RANKUNIT_SIM_FAULTS gives to this device"));
        assertThat(health(2).get(1)).isInstanceOf(DeviceHealth.Quarantined.class);
    }

    @Test
    void aSuspectDeviceThatWorksAfterAllIsLentAgain() {
        run(4, "1:507015", DeviceFaultCases.Launching.class);

        EngineRun next = run(2, "none", DeviceFaultCases.Launching.class);

        assertThat(next.messages()).isEmpty();
        assertThat(health(4)).allMatch(health -> health instanceof DeviceHealth.Sound);
    }

    @Test
    void aTestThatFailsOnTheOtherDevicesTooFailsAndSaysBoth() {
        EngineRun run = run(4, "1:507015,2:507899", DeviceFaultCases.Launching.class);

        assertThat(run.results(DeviceFaultCases.Launching.class)).startsWith("FAILED aLaunches(RankContext)");
        assertThat(run.message(DeviceFaultCases.Launching.class, "aLaunches(RankContext)"))
                .startsWith(
                        "DeviceFaultCases.Launching.aLaunches [2 ranks, a2a3sim] (run again on other devices, since on"
                                + " 0-1 device 1 (rank 1) failed with 507015 (AICORE_EXCEPTION)) failed on rank 0")
                .contains("error 507899");
    }

    @Test
    void withoutOtherDevicesATestIsNotRunAgainAndSaysWhy() {
        EngineRun run = run(2, "1:507015", DeviceFaultCases.CleaningUp.class);

        assertThat(run.message(DeviceFaultCases.CleaningUp.class, "launches(RankContext)"))
                .startsWith(
                        "DeviceFaultCases.CleaningUp.launches [2 ranks, a2a3sim] (not run again on other devices, since"
                                + " it needs 2 devices, a2a3sim has 1 excluding 1) failed on rank 1");
    }

    @Test
    void cleaningUpOnADeviceAtFaultFailsNothingMore() {
        EngineRun run = run(4, "0:507015,1:507015", DeviceFaultCases.CleaningUp.class);

        assertThat(run.results(DeviceFaultCases.CleaningUp.class)).containsExactly("SUCCESSFUL launches(RankContext)");
        assertThat(run.messages()).isEmpty();
    }

    @Test
    void aGroupThatADeviceDoesNotLetComeUpComesUpOnOthers() {
        EngineRun run = run(4, "1:507033", DeviceFaultCases.Launching.class);

        assertThat(run.messages()).isEmpty();
        assertThat(run.output())
                .containsOnlyOnce(" is brought up again on other devices: rank 1 (device 1) bootstrap failed while"
                        + " opening its device: ");
        assertThat(health(4).get(1))
                .isInstanceOfSatisfying(
                        DeviceHealth.Suspect.class,
                        suspect -> assertThat(suspect.reason())
                                .startsWith("rank 1 failed with 507033 (DEV_SETUP_ERROR) while it came up, see "));
    }

    @Test
    void aGroupIsBroughtUpAgainOnlyOnce() {
        EngineRun run = run(6, "1:507033,3:507033", DeviceFaultCases.CleaningUp.class);

        assertThat(run.message(DeviceFaultCases.CleaningUp.class, "launches(RankContext)"))
                .contains("rank 1 (device 3) bootstrap failed", "error 507033");
    }

    @Test
    void aDeviceThatHangsWhileItIsOpenedIsAloneSuspectAndTheGroupComesUpOnOthers() {
        EngineRun run = runPatientFor("8s", 4, "1:hang");

        assertThat(run.messages()).isEmpty();
        assertThat(run.output())
                .contains(
                        " is brought up again on other devices: waited 8000 ms (rankunit.bootstrap-timeout) for 2 of 2"
                                + " ranks: rank 0 (device 0) was bringing up its communicator, rank 1 (device 1) was opening"
                                + " its device")
                .contains(
                        "rankunit: DeviceFaultCases.CleaningUp.launches [2 ranks, a2a3sim] was run on ranks that were"
                                + " brought up again on other devices, since rank 1 (device 1) hung while opening its device; ");
        assertThat(health(4).get(1))
                .isInstanceOfSatisfying(
                        DeviceHealth.Suspect.class,
                        suspect -> assertThat(suspect.reason())
                                .startsWith("rank 1 did not open its device in time, see "));
        assertThat(List.of(health(4).get(0), health(4).get(2), health(4).get(3)))
                .allMatch(health -> health instanceof DeviceHealth.Sound);
    }

    @Test
    void withoutOtherDevicesADeviceThatHangsFailsTheTestAndIsNamed() {
        EngineRun run = runPatientFor("8s", 2, "0:hang");

        assertThat(run.message(DeviceFaultCases.CleaningUp.class, "launches(RankContext)"))
                .contains(
                        "rank 0 (device 0) was opening its device, rank 1 (device 1) was bringing up its communicator");
        assertThat(health(2).get(1)).isInstanceOf(DeviceHealth.Sound.class);
    }

    private EngineRun runPatientFor(String bootstrap, int devices, String faults) {
        return EngineRun.of(
                folder,
                Map.of(
                        "rankunit.sim.devices", String.valueOf(devices),
                        "rankunit.sim.faults", faults,
                        "rankunit.bootstrap-timeout", bootstrap),
                DeviceFaultCases.CleaningUp.class);
    }

    @Test
    void anAssertionIsNeverRunAgainWhateverTheDevice() {
        EngineRun run = run(4, "1:507015", DeviceFaultCases.Asserting.class);

        assertThat(run.results(DeviceFaultCases.Asserting.class))
                .containsExactlyInAnyOrder(
                        "FAILED isWrong(RankContext)", "FAILED takesTheFaultForAWrongResult(RankContext)");
        assertThat(run.output()).doesNotContain("run again");
    }

    private EngineRun run(int devices, String faults, Class<?> type) {
        return EngineRun.of(
                folder, Map.of("rankunit.sim.devices", String.valueOf(devices), "rankunit.sim.faults", faults), type);
    }

    private List<DeviceHealth> health(int devices) {
        return DevicePool.open(
                        new PoolConfig(folder.resolve("pool"), Map.of()).with(Inventory.ofFirst(devices, "a2a3sim")))
                .status("a2a3sim")
                .stream()
                .map(status -> status.health())
                .toList();
    }
}
