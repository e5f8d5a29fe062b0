package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.cli.OtherJvm.Said;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;

/** The commands in other JVMs, beside others that hold devices of the same pool and wait for them. */
@Tag("ranks")
class CommandLineProcessesTest {

    private static final int DEVICES = 4;
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final CommandsInOneJvm COMMANDS = new CommandsInOneJvm();

    @TempDir
    private Path temporary;

    @Test
    void devicesSaysWhoHoldsThemAndWhoWaits() throws Exception {
        Path folder = temporary.resolve("pool");
        try (OtherJvm holder = OtherJvm.leasing(folder, DEVICES, 3, "org.example.HoldingTest")) {
            holder.awaitLease();
            try (OtherJvm waiter = OtherJvm.leasing(folder, DEVICES, 2, "org.example.WaitingTest")) {
                awaitQueue(folder);
                Said said = OtherJvm.rankunit(onPool(folder, "devices", "--platform", PoolUser.PLATFORM));

                assertThat(said.code()).isZero();
                assertThat(said.err()).isEmpty();
                String user = System.getProperty("user.name");
                assertThat(said.out()).hasSize(8);
                assertThat(said.out().get(1))
                        .matches("0 +a2a3sim +ok +pid " + holder.pid() + " \\(" + user
                                + "\\) +org\\.example\\.HoldingTest +\\d\\d:\\d\\d:\\d\\d");
                assertThat(said.out().get(4)).matches("3 +a2a3sim +ok +free");
                assertThat(said.out().get(7))
                        .matches("1 +a2a3sim +pid " + waiter.pid() + " \\(" + user
                                + "\\) +2 +0-3 +org\\.example\\.WaitingTest +\\d+ s");
            }
        }
    }

    @Test
    void jsonSaysTheSameToPrograms() throws Exception {
        Path folder = temporary.resolve("pool");
        try (OtherJvm holder = OtherJvm.leasing(folder, DEVICES, 1, "org.example.HoldingTest")) {
            holder.awaitLease();
            Said said = COMMANDS.run(onPool(folder, "devices", "--json"));

            assertThat(said.code()).isZero();
            assertThat(said.text())
                    .contains("\"pid\" : " + holder.pid(), "\"state\" : \"held\"", "\"folder\" : \"" + folder + "\"");
        }
    }

    @Test
    void clearSaysWhatItTookAway() throws Exception {
        Path folder = temporary.resolve("pool");
        makeSuspect(folder, "rank 0 was killed");

        assertThat(COMMANDS.run(onPool(folder, "clear", "0,2")).out())
                .containsExactly(
                        "device 0 of a2a3sim: was suspect: rank 0 was killed", "device 2 of a2a3sim: was sound");
        assertThat(COMMANDS.run(onPool(folder, "clear", "--all", "--platform", "a2a3sim"))
                        .out())
                .hasSize(DEVICES)
                .allMatch(line -> line.endsWith(": was sound"));
    }

    @Test
    void aProbeMakesASuspectDeviceSoundAndLeavesAHeldOneAlone() throws Exception {
        Path folder = temporary.resolve("pool");
        makeSuspect(folder, "rank 0 was killed");
        try (OtherJvm holder = OtherJvm.leasing(folder, DEVICES, 1, "org.example.HoldingTest")) {
            holder.awaitLease();
            Said said = OtherJvm.rankunit(onPool(folder, "probe", "0-1"));

            assertThat(said.code()).isZero();
            assertThat(said.out()).contains("device 0 of a2a3sim: sound", "1 sound, 0 failed, 1 held");
            assertThat(said.text()).contains("device 1 of a2a3sim: held by pid " + holder.pid());
        }
    }

    @Test
    void aProbeThatFailsIsTheExitCode() throws Exception {
        Path folder = temporary.resolve("pool");
        Said said = OtherJvm.rankunit(
                List.of("-Drankunit.pool-dir=" + folder, "-Drankunit.sim.faults=1:507015"), "probe", "0-1");

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).contains("device 0 of a2a3sim: sound", "1 sound, 1 failed, 0 held");
        assertThat(said.text()).containsPattern("device 1 of a2a3sim: failed, quarantined until [-0-9: ]+: .*507015");
    }

    @Test
    void theDoctorFindsAMachineThatRunsTheSimulatorFit() throws Exception {
        Said said = OtherJvm.rankunit(onPool(temporary.resolve("pool"), "doctor"));

        assertThat(said.code()).as(said.text()).isZero();
        assertThat(said.text()).contains("OK    Simulator");
        assertThat(temporary.resolve("pool")).doesNotExist();
    }

    @Test
    void theDoctorTriesTwoDevicesAndTheirCommunicatorWhereItIsTold() throws Exception {
        Said said = OtherJvm.rankunit(onPool(temporary.resolve("pool"), "doctor", "--npu", "--platform", "a2a3sim"));

        assertThat(said.code()).as(said.text()).isZero();
        assertThat(said.text())
                .contains("OK    device 0 memory", "OK    device 1 windows", "OK    device 1 tear-down")
                .containsPattern("rank 1 of 2 in [0-9.]+ ms; windows of 4194304 bytes: memory of the host");
    }

    @Test
    void aDeviceThatFailsItsTrialFailsTheDoctorsExaminationWithTheReason() throws Exception {
        Said said = OtherJvm.rankunit(
                Map.of("RANKUNIT_SIM_FAULTS", "1:507033"),
                List.of("-Drankunit.pool-dir=" + temporary.resolve("pool")),
                "doctor",
                "--npu",
                "--platform",
                "a2a3sim");

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.text()).containsPattern("FAIL  device 1 device +device 1 \\(a2a3sim\\), open: error 507033");
    }

    @Test
    void theDoctorSaysWhatIsWrongWithTheKeys() throws Exception {
        Said said =
                COMMANDS.run(onPool(temporary.resolve("pool"), "doctor", "--platform", "a2a3sim", "--devices", "70"));

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.text()).contains("FAIL  Devices", "rankunit.devices = \"70\"");
    }

    @Test
    void aPoolThatCannotBeUsedIsSaidWithoutAStackTraceUnlessAskedFor() throws Exception {
        Path file = Files.createFile(temporary.resolve("pool"));

        Said said = COMMANDS.run(onPool(file, "devices"));
        assertThat(said.code()).isEqualTo(ExitCodes.NO_POOL);
        assertThat(said.out()).isEmpty();
        assertThat(said.err())
                .startsWith("rankunit.pool-dir = \"" + file + "\"")
                .doesNotContain("\tat ");
        assertThat(COMMANDS.run(onPool(file, "devices", "--stacktrace")).err()).contains("\tat ");
    }

    @Test
    void aMistakeInAKeyIsWrongUsage() throws Exception {
        Said key = OtherJvm.rankunit(List.of("-Drankunit.sim.devices=many"), "devices");
        assertThat(key.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(key.err()).startsWith("rankunit.sim.devices = \"many\"");
        Said stranger = COMMANDS.run(onPool(temporary.resolve("pool"), "clear", "40"));
        assertThat(stranger.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(stranger.err()).startsWith("DEVICES = \"40\"");
    }

    private static String[] onPool(Path folder, String... arguments) {
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(List.of("--pool-dir", folder.toString(), "--simulator-devices", String.valueOf(DEVICES)));
        return all.toArray(String[]::new);
    }

    /** Device 0. */
    private static void makeSuspect(Path folder, String reason) throws Exception {
        DevicePool pool = PoolUser.pool(folder, DEVICES);
        try (DeviceLease lease = pool.lease(new LeaseRequest(PoolUser.PLATFORM, 1, "earlier"), SOON)) {
            lease.suspect(lease.devices().get(0), reason);
        }
    }

    private static void awaitQueue(Path folder) {
        DevicePool pool = PoolUser.pool(folder, DEVICES);
        long end = System.nanoTime() + SOON.toNanos();
        while (pool.queue(PoolUser.PLATFORM).isEmpty()) {
            assertThat(System.nanoTime()).as("nobody waits").isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
