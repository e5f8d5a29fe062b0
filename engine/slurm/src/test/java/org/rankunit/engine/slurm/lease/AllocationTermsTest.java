package org.rankunit.engine.slurm.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SlurmSettings;
import org.rankunit.engine.config.SlurmSettings.DeviceIds;
import org.rankunit.engine.slurm.job.NodeShare;

@Tag("unit")
class AllocationTermsTest {

    @ParameterizedTest
    @CsvSource({
        "npu, a2a3",
        "gpu:ascend910b, a2a3",
        "gpu:910B3, a2a3",
        "npu:Ascend950, a5",
        "npu:950pr, a5",
        "npu:A5, a5",
        "npu_a5, a5",
    })
    void thePlatformOfTheDevicesIsThatOfTheirType(String gres, String platform) {
        assertThat(terms(gres, DeviceIds.STEP, Optional.empty()).hardware().id())
                .isEqualTo(platform);
    }

    @Test
    void thePlatformOfTheRunIsTakenBeforeTheType() {
        assertThat(terms("npu", DeviceIds.STEP, Optional.of(Platform.A5)).hardware())
                .isEqualTo(Platform.A5);
        assertThat(terms("npu:950pr", DeviceIds.STEP, Optional.of(Platform.A2A3))
                        .hardware())
                .isEqualTo(Platform.A2A3);
    }

    @Test
    void aRunOnASimulatorSaysNothingOfTheDevices() {
        assertThat(terms("npu:950pr", DeviceIds.STEP, Optional.of(Platform.A2A3SIM))
                        .hardware())
                .isEqualTo(Platform.A5);
    }

    @ParameterizedTest
    @CsvSource({"STEP, false", "JOB, true", "COUNT, true"})
    void groupsKnowTheirDevicesFromTheBeginningUnlessTheStepMustTell(DeviceIds ids, boolean tells) {
        assertThat(terms("npu", ids, Optional.empty()).tellsDevices()).isEqualTo(tells);
    }

    @Test
    void theUnitIsThatOfTheSettings() {
        assertThat(terms("npu", DeviceIds.STEP, Optional.empty()).unit()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "a2a3,    4, 8, 4",
        "a2a3,   16, 8, 8",
        "a5,     16, 8, 0",
        "a2a3sim, 4, 8, 4",
        "a5sim,  16, 0, 6",
    })
    void eachRankNeedsAProcessorAndADeviceOfItsPlatform(String platform, int cpus, int devices, int slots) {
        NodeShare share = new NodeShare("node1", cpus, devices, List.of());

        assertThat(terms("npu", DeviceIds.STEP, Optional.empty())
                        .slots(share, Platform.named(platform).orElseThrow()))
                .isEqualTo(slots);
    }

    /** The library says how far its windows reach; without Slurm's means, its ranks on other nodes are not found. */
    @ParameterizedTest
    @CsvSource({
        "true,  --mpi=pmi2,            false",
        "true,  --mpi=pmix --mpi=none, true",
        "true,  --cpu-bind=cores,      true",
        "false, --mpi=pmi2,            true"
    })
    void simulatorsAreOnSeveralNodesOnlyByALibraryWhoseRanksSlurmConnects(
            boolean hasLibrary, String srunArguments, boolean shareMemory) {
        SlurmSettings settings = settings("npu", DeviceIds.STEP, List.of(srunArguments.split(" ", -1)));

        assertThat(AllocationTerms.of(settings, 6, Optional.empty(), hasLibrary).simulatorsShareMemory())
                .isEqualTo(shareMemory);
    }

    private static AllocationTerms terms(String gres, DeviceIds ids, Optional<Platform> platform) {
        return AllocationTerms.of(settings(gres, ids, List.of()), 6, platform, false);
    }

    private static SlurmSettings settings(String gres, DeviceIds ids, List<String> srunArguments) {
        return new SlurmSettings(
                SlurmSettings.Launcher.SLURM,
                Optional.empty(),
                Duration.ofMinutes(1),
                gres,
                2,
                ids,
                SlurmSettings.Files.AUTO,
                Path.of("/tmp"),
                srunArguments,
                Duration.ofSeconds(1));
    }
}
