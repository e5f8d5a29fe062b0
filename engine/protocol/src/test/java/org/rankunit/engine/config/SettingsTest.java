package org.rankunit.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.ShakeStrategy;

@Tag("unit")
class SettingsTest {

    @Test
    void withoutAnyKeyTheDefaultsHold() {
        assertThat(read())
                .isEqualTo(new Settings(
                        Optional.empty(),
                        Set.of(),
                        Set.of(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        16,
                        "",
                        Optional.empty(),
                        Path.of(System.getProperty("basedir", ""))
                                .toAbsolutePath()
                                .resolve("target/rankunit"),
                        200L << 20,
                        Optional.empty(),
                        Duration.ofMinutes(10),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(5),
                        Optional.empty(),
                        List.of(),
                        new TreeMap<>(),
                        new TreeSet<>(),
                        Duration.ofMinutes(30),
                        Optional.empty(),
                        false,
                        DurationsPlace.ofProject(
                                Path.of(System.getProperty("basedir", "")).toAbsolutePath()),
                        new KernelSettings(
                                Path.of(System.getProperty("basedir", "")).toAbsolutePath(),
                                List.of(Path.of(System.getProperty("basedir", ""))
                                        .toAbsolutePath()
                                        .resolve("src/test/kernels")),
                                List.of("c++"),
                                List.of(),
                                false,
                                Duration.ofMinutes(2)),
                        new SimulatorSettings(
                                SimulatorSettings.Checks.RANGES,
                                SimulatorSettings.Unchecked.FAIL,
                                2L << 30,
                                Optional.empty(),
                                Optional.empty()),
                        new SlurmSettings(
                                SlurmSettings.Launcher.AUTO,
                                Optional.empty(),
                                Duration.ofMinutes(30),
                                "npu",
                                1,
                                SlurmSettings.DeviceIds.STEP,
                                SlurmSettings.Files.AUTO,
                                Path.of("/tmp"),
                                List.of(),
                                Duration.ofMillis(1500)),
                        TimelineMode.OFF,
                        TimelineMode.Arguments.NONE,
                        Settings.GoldenMode.VERIFY,
                        Settings.Progress.AUTO));
    }

    @Test
    void progressIsOneOfItsWords() {
        assertThat(read("rankunit.progress", "plain").progress()).isEqualTo(Settings.Progress.PLAIN);
        assertThatThrownBy(() -> read("rankunit.progress", "loud"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("rankunit.progress = \"loud\": give one of auto, live, plain, off.");
    }

    @Test
    void aSeedHasAStrategyOrIsWhereThoseOfTestsBegin() {
        assertThat(read("rankunit.sim.shake", "off").simulator().shake()).isEmpty();
        for (ShakeStrategy strategy : ShakeStrategy.values()) {
            String name = strategy.name().toLowerCase(Locale.ROOT);
            assertThat(read("rankunit.sim.shake", name + ":7").simulator().shake())
                    .contains(new SimulatorSettings.Shake(name, 7));
        }
        assertThat(read("rankunit.sim.shake", "from:1001")
                        .simulator()
                        .shake()
                        .orElseThrow()
                        .isBase())
                .isTrue();
    }

    @Test
    void aWaitInTheCommunicatorEndsBeforeItsTest() {
        assertThatThrownBy(() -> read("rankunit.comm-timeout", "5m"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "rankunit.comm-timeout = \"5m\": a wait in the communicator must end before the test around it,"
                                + " and rankunit.test-timeout = \"5m\". Set a shorter time, or remove the key.");
        assertThat(read("rankunit.comm-timeout", "299s").commTimeout()).isEqualTo(Duration.ofSeconds(299));
    }

    @Test
    void everyRungOfTheLadderEndsBeforeThoseAroundIt() {
        assertThatThrownBy(() -> read("rankunit.device-timeout", "2m"))
                .hasMessageContaining(
                        "rankunit.device-timeout = \"2m\": a kernel must end before the waits of the other"
                                + " ranks, and rankunit.comm-timeout = \"120s\".");
        assertThatThrownBy(() -> read("rankunit.test-timeout", "1h", "rankunit.session-timeout", "3600s"))
                .hasMessageContaining("rankunit.test-timeout = \"1h\": a test must end before the whole run, and"
                        + " rankunit.session-timeout = \"3600s\".");
        assertThatThrownBy(() -> read("rankunit.device-timeout", "5s", "rankunit.session-timeout", "4s"))
                .hasMessageContaining("a kernel must end before the whole run");
        Settings settings = read("rankunit.device-timeout", "1s", "rankunit.session-timeout", "4s");
        assertThat(settings.deviceTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.sessionTimeout()).contains(Duration.ofSeconds(4));
    }

    @Test
    void aShortTestNeedsNoShorterWaits() {
        assertThat(read("rankunit.test-timeout", "3s").testTimeout()).isEqualTo(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @EnumSource(Platform.class)
    void everyPlatformCanBeFixed(Platform platform) {
        assertThat(read("rankunit.platform", platform.id()).platform()).contains(platform);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"2|2", "2,4|2,4", " 8 , 2 , 2 |2,8", "1,64|1,64"})
    void ranksAreAListOfNumbers(String value, String numbers) {
        assertThat(read("rankunit.only-world-sizes", value).ranks())
                .containsExactlyInAnyOrderElementsOf(java.util.Arrays.stream(numbers.split(","))
                        .map(Integer::valueOf)
                        .toList());
    }

    @Test
    void allRanksIsTheSameAsNoChoice() {
        assertThat(read("rankunit.only-world-sizes", "all").ranks()).isEmpty();
        assertThat(read("rankunit.runtime", "all").runtimes()).isEmpty();
        assertThat(read("rankunit.runtime", "a, b").runtimes()).containsExactlyInAnyOrder("a", "b");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "64, 64", " 7 , 7"})
    void simulatorDevicesIsANumber(String value, int number) {
        assertThat(read("rankunit.sim.devices", value).simulatorDevices()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"1B, 1", "512KiB, 524288", "200MiB, 209715200", "1 GiB, 1073741824"})
    void theWindowsSizeHasAUnit(String value, long bytes) {
        assertThat(read("rankunit.window-size", value).windowBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500", "90s, 90000", "5m, 300000", "1 h, 3600000"})
    void timesHaveAUnit(String value, long millis) {
        Map<String, String> outer = Map.of(
                "rankunit.lease-timeout", value, "rankunit.bootstrap-timeout", value, "rankunit.test-timeout", value);
        Map<String, String> inner = Map.of("rankunit.comm-timeout", value, "rankunit.test-timeout", "2h");
        Settings settings = Settings.read(key -> Optional.ofNullable(outer.get(key)), Set.of());

        assertThat(List.of(settings.leaseTimeout(), settings.bootstrapTimeout(), settings.testTimeout()))
                .containsOnly(Duration.ofMillis(millis));
        assertThat(Settings.read(key -> Optional.ofNullable(inner.get(key)), Set.of())
                        .commTimeout())
                .isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void foldersAreMadeAbsolute() {
        assertThat(read("rankunit.pool-dir", "some/../pool").poolFolder())
                .contains(Path.of("pool").toAbsolutePath());
    }

    @Test
    void theOutputFolderCanBeChosen() {
        assertThat(read("rankunit.output-dir", "/var/out").outputFolder()).isEqualTo(Path.of("/var/out"));
    }

    @Test
    void jvmArgumentsAreSeparatedByBlanks() {
        assertThat(read("rankunit.jvm-args", "  -Xmx1g \t -ea ").jvmArguments()).containsExactly("-Xmx1g", "-ea");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", " 4 , 4", "1024, 1024"})
    void groupsAtTheSameTimeAreANumber(String value, int number) {
        assertThat(read("rankunit.max-parallel", value).maxParallel()).hasValue(number);
    }

    @Test
    void ranksToDebugMayNameTheirPort() {
        assertThat(read("rankunit.debug", "3, 0:5005").debug()).containsExactly(Map.entry(0, 5005), Map.entry(3, 0));
        assertThat(read("rankunit.debug", "3").isDebugging()).isTrue();
        assertThat(read("rankunit.manual-ranks", "3, 0").manualRanks()).containsExactly(0, 3);
        assertThat(read("rankunit.manual-ranks", "3").isDebugging()).isTrue();
        assertThat(read("rankunit.manual-ranks-timeout", "2h").manualRanksTimeout())
                .isEqualTo(Duration.ofHours(2));
        assertThat(read().isDebugging()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"2/5, 2, 5", "' 16 / 16 ', 16, 16", "1/1, 1, 1"})
    void aShardIsOneOfSeveral(String value, int number, int count) {
        assertThat(read("rankunit.shard", value).shard()).contains(new Shard(number, count));
    }

    @Test
    void devicesCanBeRequired() {
        assertThat(read("rankunit.require-devices", "true").requireDevices()).isTrue();
        assertThat(read("rankunit.require-devices", "false").requireDevices()).isFalse();
    }

    @Test
    void kernelsAreCompiledFromTheFoldersAndByTheCompilerThatTheUserNames() {
        KernelSettings kernels = read(
                        "rankunit.kernel-sources", "gpu, /opt/kernels",
                        "rankunit.cxx", "ccache  g++-12",
                        "rankunit.cxxflags", " -O0 -Wall ",
                        "rankunit.compile-timeout", "30s")
                .kernels();

        assertThat(kernels.folders()).containsExactly(kernels.project().resolve("gpu"), Path.of("/opt/kernels"));
        assertThat(kernels.compiler()).containsExactly("ccache", "g++-12");
        assertThat(kernels.flags()).containsExactly("-O0", "-Wall");
        assertThat(kernels.limit()).isEqualTo(Duration.ofSeconds(30));
        assertThat(kernels.tellAccesses()).isFalse();
        assertThat(read("rankunit.sim.check", "bytes").kernels().tellAccesses()).isTrue();
    }

    @Test
    void durationsAreSharedWhereTheUserNamesTheFile() {
        assertThat(read("rankunit.durations", "ci/durations.json").durations())
                .isEqualTo(new DurationsPlace(
                        Optional.of(Path.of("ci/durations.json").toAbsolutePath()), true));
        assertThat(read("rankunit.durations", "none").durations()).isEqualTo(DurationsPlace.NONE);
        assertThat(read().durations().shared()).isFalse();
    }

    @Test
    void faultsOfTheSimulatorAreHandedOnAsTheyAre() {
        assertThat(read("rankunit.sim.faults", "3:507015,5:hang").simulatorFaults())
                .isEqualTo("3:507015,5:hang");
        assertThat(read("rankunit.sim.faults", "none").simulatorFaults()).isEmpty();
    }

    @Test
    void everyProjectHasItsOwnDurationsOutsideOfIt() {
        Path one = Path.of("/home/ada/one/module");
        Path file = DurationsPlace.ofProject(one).file().orElseThrow();

        assertThat(file)
                .isEqualTo(DurationsPlace.ofProject(Path.of("/home/ada/one/./module"))
                        .file()
                        .orElseThrow());
        assertThat(file)
                .isNotEqualTo(DurationsPlace.ofProject(Path.of("/home/ada/two/module"))
                        .file()
                        .orElseThrow());
        assertThat(file.startsWith(one)).isFalse();
        assertThat(file.getFileName().toString()).matches("module-[0-9a-f]{32}\\.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rankunit.platform          | cuda      | there is no such platform. Give one of auto, a2a3, a5, a2a3sim, a5sim",
                "rankunit.only-world-sizes             | 2;4       | '2;4' is not a whole number from 1 to 64.",
                "rankunit.only-world-sizes             | 2,0       | '0' is not a whole number from 1 to 64.",
                "rankunit.only-world-sizes             | 65        | '65' is not a whole number from 1 to 64.",
                "rankunit.only-world-sizes             | 2,        | '' is not a whole number from 1 to 64.",
                "rankunit.sim.check         | words     | give one of off, ranges, bytes.",
                "rankunit.sim.unchecked     | pass      | give one of fail, warn.",
                "rankunit.sim.record-size   | 63KiB     | give a size from 64KiB to 2GiB.",
                "rankunit.sim.record-size   | 3GiB      | give a size from 64KiB to 2GiB.",
                "rankunit.sim.record-size   | 17179869185GiB | give a size from 64KiB to 2GiB.",
                "rankunit.sim.record-size   | 1.5KiB    | give a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero.",
                "rankunit.sim.shake         | random    | give a strategy with a seed, such as random:7, pct:7 or delay:7;"
                        + " from:1001; or off.",
                "rankunit.runtime           | a,,b      | give names of runtimes, such as host_build_graph; or all.",
                "rankunit.sim.devices | 65        | '65' is not a whole number from 0 to 64.",
                "rankunit.sim.devices | -1        | '-1' is not a whole number from 0 to 64.",
                "rankunit.sim.devices | many      | 'many' is not a whole number from 0 to 64.",
                "rankunit.max-parallel      | 0         | '0' is not a whole number from 1 to 1024.",
                "rankunit.shard             | 0/5       | '0' is not a whole number from 1 to 5.",
                "rankunit.shard             | 6/5       | '6' is not a whole number from 1 to 5.",
                "rankunit.shard             | 1/0       | '0' is not a whole number from 1 to 1024.",
                "rankunit.shard             | a/b       | 'b' is not a whole number from 1 to 1024.",
                "rankunit.shard             | 2         | give the shard and the number of shards, as in 2/5.",
                "rankunit.shard             | 1/2/3     | give the shard and the number of shards, as in 2/5.",
                "rankunit.require-devices   | yes       | give true or false.",
                "rankunit.sim.faults  | 3         | give devices, each with an error of six digits or with hang, such as 3:507015,5:hang; or none.",
                "rankunit.sim.faults  | 3:hangs   | give devices, each with an error of six digits or with hang, such as 3:507015,5:hang; or none.",
                "rankunit.debug             | all       | 'all' is not a whole number from 0 to 63.",
                "rankunit.debug             | 0,64      | '64' is not a whole number from 0 to 63.",
                "rankunit.debug             | 0:70000   | '70000' is not a whole number from 1 to 65535.",
                "rankunit.debug             | 0:        | '' is not a whole number from 1 to 65535.",
                "rankunit.manual-ranks     | 0:5005    | '0:5005' is not a whole number from 0 to 63.",
                "rankunit.comm-library      | no.so     | there is no such file.",
                "rankunit.comm-library      | auto      | there is no such file.",
                "rankunit.comm-library-form | mpi       | give one of auto, stream, device, plain.",
                "rankunit.comm-library-form | plain     | it applies to rankunit.comm-library, which is not set.",
                "rankunit.compile-timeout   | 5         | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "rankunit.window-size       | 200       | give a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero.",
                "rankunit.window-size       | 200MB     | give a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero.",
                "rankunit.window-size       | 0B        | give a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero.",
                "rankunit.window-size       | 9999999999GiB | give a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero and at most 1048576GiB.",
                "rankunit.window-size       | 99999999999999999999B | give a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero and at most 1048576GiB.",
                "rankunit.lease-timeout     | soon      | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "rankunit.bootstrap-timeout | 0s        | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "rankunit.test-timeout      | -5s       | give a time such as 500ms, 90s, 5m or 1h, more than zero.",
                "rankunit.test-timeout      | 5         | give a time such as 500ms, 90s, 5m or 1h, more than zero."
            })
    void aMistakeNamesTheKeyTheValueAndWhatIsAllowed(String key, String value, String allowed) {
        assertThatThrownBy(() -> read(key, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(key + " = \"" + value + "\": " + allowed);
    }

    /** In 64 bits, 2562047h in nanoseconds and 2562047788016h in milliseconds are too many. */
    @ParameterizedTest
    @EnumSource(
            value = ConfigKey.class,
            mode = EnumSource.Mode.MATCH_ANY,
            names = {"\\w+_TIMEOUT"})
    void aTimeThatIsTooLongIsRefusedAndTheLongestOneOverflowsNothing(ConfigKey key) {
        for (String value : List.of("481h", "9000000h", "2562047788015216h", "1728000001ms", "9223372036854775807h")) {
            assertThatThrownBy(() -> read(key.key(), value))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage(key.key() + " = \"" + value
                            + "\": give a time such as 500ms, 90s, 5m or 1h, more than zero and at most 480h.");
        }
        assertThat(Quantity.duration(key, "480h")).isEqualTo(Duration.ofDays(20));
        assertThat(Duration.ofDays(20).toMillis()).isLessThan(Integer.MAX_VALUE);
    }

    /** Exact arithmetic tells which of them fit. */
    @Test
    void randomQuantitiesAreWhatExactArithmeticSays() {
        Random random = new Random(7);
        Map<String, BigInteger> sizes = Map.of(
                "B", BigInteger.ONE,
                "KiB", BigInteger.ONE.shiftLeft(10),
                "MiB", BigInteger.ONE.shiftLeft(20),
                "GiB", BigInteger.ONE.shiftLeft(30));
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            BigInteger number = new BigInteger(1 + random.nextInt(70), random);
            String unit = List.copyOf(sizes.keySet()).get(random.nextInt(sizes.size()));
            BigInteger exact = number.multiply(sizes.getOrDefault(unit, BigInteger.ZERO));
            String text = number + unit;
            if (exact.signum() > 0 && exact.bitLength() <= 50) {
                assertThat(Quantity.bytes(ConfigKey.WINDOW_SIZE, text)).isEqualTo(exact.longValueExact());
                read++;
            } else if (!exact.equals(BigInteger.ONE.shiftLeft(50))) {
                assertThatThrownBy(() -> Quantity.bytes(ConfigKey.WINDOW_SIZE, text))
                        .as(text)
                        .isInstanceOf(ConfigurationException.class);
            }
        }
        assertThat(read).isBetween(1_000, 19_000);
    }

    @Test
    void whatIsNoPathIsRefused() {
        assertThatThrownBy(() -> read("rankunit.pool-dir", "a\0b"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("rankunit.pool-dir = \"a\0b\": not a path: Nul character not allowed.");
    }

    @ParameterizedTest
    @CsvSource({
        "rankunit.platforms, rankunit.platform",
        "rankunit.worldSize, rankunit.world-size",
        "rankunit.timeout, rankunit.test-timeout",
        "rankunit.windowSize, rankunit.window-size",
        "rankunit.jvmargs, rankunit.jvm-args",
        "rankunit.pooldir, rankunit.pool-dir",
        "rankunit.timeout.test, rankunit.test-timeout",
        "rankunit.timeoutOfSession, rankunit.session-timeout",
        "rankunit.dir-output, rankunit.output-dir",
        "rankunit.library_comm, rankunit.comm-library",
        "rankunit.DEVICES, rankunit.devices"
    })
    void anUnknownKeySuggestsTheNearest(String key, String nearest) {
        assertThatThrownBy(() -> read(key, "x"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(key + ": there is no such configuration key. Did you mean " + nearest + "?");
    }

    @ParameterizedTest
    @CsvSource({
        "rankunit.ranks, rankunit.only-world-sizes",
        "rankunit.nranks, rankunit.world-size",
        "rankunit.start-by-hand, rankunit.manual-ranks",
        "rankunit.start-by-hand-timeout, rankunit.manual-ranks-timeout",
        "rankunit.simulator-devices, rankunit.sim.devices",
        "rankunit.simulator-faults, rankunit.sim.faults",
        "rankunit.sim.leave-out, rankunit.sim.mutate"
    })
    void aKeyByItsFormerNameIsToldTheNewOne(String former, String now) {
        assertThatThrownBy(() -> read(former, "x"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(former + " was renamed to " + now + ".");
    }

    /** {@code mvn -Drankunit.version=1.2} names the version that a build uses. */
    @Test
    void theVersionThatABuildNamesIsNoKey() {
        assertThat(read("rankunit.version", "1.2")).isEqualTo(Settings.read(key -> Optional.empty(), List.of()));
    }

    @Test
    void keysOfOtherProgramsAreNoneOfOurs() {
        assertThat(read("rankunitx.platform", "x")).isEqualTo(read());
    }

    private static Settings read(String... pairs) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put(pairs[i], pairs[i + 1]);
        }
        return Settings.read(key -> Optional.ofNullable(values.get(key)), values.keySet());
    }

    @Test
    void aStepToLeaveOutHasARankAKindAndANumber() {
        assertThat(read("rankunit.sim.mutate", "1:edge:12").simulator().leftOut())
                .contains(new SimulatorSettings.Truncated(1, "edge:12"));
        for (String wrong : List.of("edge:1", "0:edge", "0:edge:0", "0:egde:1", "x:edge:1", "0:edge:1:2")) {
            assertThatThrownBy(() -> read("rankunit.sim.mutate", wrong))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("give a rank, a step and its number, as in 0:edge:3.");
        }
        assertThatThrownBy(() -> read("rankunit.sim.mutate", "0:edge:1", "rankunit.sim.check", "off"))
                .hasMessageContaining("nothing would notice, because rankunit.sim.check is off.");
    }

    @Test
    void goldenFilesAreUpdatedOnlyOutsideOfCi() {
        assertThat(Settings.GoldenMode.read("verify", Map.of("CI", "true"))).isEqualTo(Settings.GoldenMode.VERIFY);
        assertThat(Settings.GoldenMode.read("skip", Map.of("CI", "true"))).isEqualTo(Settings.GoldenMode.SKIP);
        assertThat(Settings.GoldenMode.read("update", Map.of())).isEqualTo(Settings.GoldenMode.UPDATE);
        assertThat(Settings.GoldenMode.read("update", Map.of("CI", ""))).isEqualTo(Settings.GoldenMode.UPDATE);
        assertThat(Settings.GoldenMode.read("update", Map.of("CI", "false"))).isEqualTo(Settings.GoldenMode.UPDATE);
        assertThatThrownBy(() -> Settings.GoldenMode.read("update", Map.of("CI", "1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "rankunit.golden = \"update\": this is CI (the environment variable CI is \"1\"), where outputs do"
                                + " not become golden files. Update them on your machine, look at the changes, and commit them.");
        assertThatThrownBy(() -> Settings.GoldenMode.read("on", Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("rankunit.golden = \"on\": give one of verify, update, skip.");
    }
}
