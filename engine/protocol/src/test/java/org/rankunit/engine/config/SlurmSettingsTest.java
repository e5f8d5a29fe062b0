package org.rankunit.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.config.SlurmSettings.DeviceIds;
import org.rankunit.engine.config.SlurmSettings.Launcher;

@Tag("unit")
class SlurmSettingsTest {

    @Test
    void withoutAnyKeyTheDefaultsHold() {
        assertThat(read())
                .isEqualTo(new SlurmSettings(
                        Launcher.AUTO,
                        Optional.empty(),
                        Duration.ofMinutes(30),
                        "npu",
                        1,
                        DeviceIds.STEP,
                        SlurmSettings.Files.AUTO,
                        Path.of("/tmp"),
                        List.of(),
                        Duration.ofMillis(1500)));
    }

    @ParameterizedTest
    @EnumSource(Launcher.class)
    void theLauncherIsOneOfItsWords(Launcher launcher) {
        assertThat(read("rankunit.launcher", launcher.name().toLowerCase(Locale.ROOT))
                        .launcher())
                .isEqualTo(launcher);
    }

    @ParameterizedTest
    @EnumSource(DeviceIds.class)
    void deviceIdsComeFromOneOfTheirPlaces(DeviceIds ids) {
        assertThat(read("rankunit.slurm.device-ids", ids.name().toLowerCase(Locale.ROOT))
                        .deviceIds())
                .isEqualTo(ids);
    }

    @Test
    void argumentsAreSeparatedByBlanks() {
        assertThat(read("rankunit.slurm.allocate", "  -N2   --gres=npu:8 ").allocate())
                .contains(List.of("-N2", "--gres=npu:8"));
        assertThat(read("rankunit.slurm.srun-args", "-v\t--mem=0").srunArguments())
                .containsExactly("-v", "--mem=0");
    }

    @Test
    void theWordNoneTakesNoJob() {
        assertThat(read("rankunit.slurm.allocate", "none").allocate()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"npu", "gpu:ascend910b", "gpu:910B3", "npu_2.x-y"})
    void theResourceIsANameWithoutOrWithAType(String value) {
        assertThat(read("rankunit.slurm.gres", value).gres()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "64"})
    void aUnitIsANumberOfDevices(String value) {
        assertThat(read("rankunit.slurm.gres-unit", value).gresUnit()).isEqualTo(Integer.parseInt(value));
    }

    /** What Slurm, or the class that reads a resource's name, would not accept either. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "launcher               | Slurm   | give one of auto, local, slurm.",
                "launcher               | mpi     | give one of auto, local, slurm.",
                "slurm.device-ids       | node    | give one of step, job, count.",
                "slurm.allocate-timeout | 30      | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "slurm.allocate-timeout | 0s      | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "slurm.node-timeout     | -1s     | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "slurm.gres-unit        | 0       | '''0'' is not a whole number from 1 to 64.'",
                "slurm.gres-unit        | 65      | '''65'' is not a whole number from 1 to 64.'",
                "slurm.gres-unit        | -1      | '''-1'' is not a whole number from 1 to 64.'",
                "slurm.gres-unit        | two     | '''two'' is not a whole number from 1 to 64.'",
                "slurm.gres             | npu:8   | <resource>",
                "slurm.gres             | npu:2K  | <resource>",
                "slurm.gres             | 8       | <resource>",
                "slurm.gres             | npu:    | <resource>",
                "slurm.gres             | :npu    | <resource>",
                "slurm.gres             | a:b:2   | <resource>",
                "slurm.gres             | npu,gpu | <resource>",
                "slurm.gres             | npu gpu | <resource>",
            })
    void aValueThatCannotBeIsRefusedWithTheKeyAndWhatIsAllowed(String key, String value, String allowed) {
        String advice = allowed.replace(
                "<resource>",
                "give the name of a generic resource, such as npu, or its name and type, such as gpu:ascend910b.");

        assertThatThrownBy(() -> read("rankunit." + key, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("rankunit." + key + " = \"" + value + "\": " + advice);
    }

    @Test
    void aRunOnThisMachineTakesNoJob() {
        assertThatThrownBy(() -> read("rankunit.launcher", "local", "rankunit.slurm.allocate", "-N2"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("rankunit.slurm.allocate = \"-N2\": rankunit.launcher is local, which uses no job."
                        + " Set only one of the two.");
        assertThat(read("rankunit.launcher", "slurm", "rankunit.slurm.allocate", "-N2")
                        .allocate())
                .contains(List.of("-N2"));
    }

    private static SlurmSettings read(String... keysAndValues) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Settings.read(key -> Optional.ofNullable(values.get(key)), values.keySet())
                .slurm();
    }
}
