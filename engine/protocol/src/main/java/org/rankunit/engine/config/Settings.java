package org.rankunit.engine.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.rankunit.DeviceCount;
import org.rankunit.Rounds;
import org.rankunit.comm.CommInitForm;
import org.rankunit.comm.ForeignLibrary;

/**
 * The configuration of one run, read and checked.
 *
 * @param platform the one platform of this run, or empty for the first that suits each test
 * @param ranks the numbers of ranks whose variants run; empty for all
 * @param runtimes the runtimes whose variants run; empty for all
 * @param maxParallel number of groups that work at the same time; empty for as many as fit
 * @param devices the slice of the devices that this run may use, as the user wrote it; empty for all
 * @param simulatorFaults devices of the simulator with their errors, in the format that the simulator reads; empty for
 *     none
 * @param poolFolder folder of the device pool, or empty for the default
 * @param commLibrary a third-party communication library, or empty for the platform's own
 * @param sessionTimeout how long all tests may take together, or empty for no limit
 * @param debug the ranks that wait for a debugger, each with the port it listens on, 0 for any free port
 * @param manualRanks the ranks that a person starts
 * @param manualRanksTimeout how long the run waits until they are started
 * @param shard the part of the classes that runs, or empty for all of them
 * @param requireDevices whether a test for which there are too few devices fails
 * @param kernels how kernels are compiled from source
 * @param simulator what simulators do beyond what a device would
 * @param timeline for which tests on simulators a timeline is written
 * @param timelineArguments what is written of the arguments of tasks beside a timeline
 * @param golden what tests do with their goldens
 * @param progress what is shown while tests run
 */
public record Settings(
        Optional<Platform> platform,
        Set<Integer> ranks,
        Set<String> runtimes,
        OptionalInt maxParallel,
        Optional<String> devices,
        int simulatorDevices,
        String simulatorFaults,
        Optional<Path> poolFolder,
        Path outputFolder,
        long windowBytes,
        Optional<ForeignLibrary> commLibrary,
        Duration leaseTimeout,
        Duration bootstrapTimeout,
        Duration deviceTimeout,
        Duration commTimeout,
        Duration testTimeout,
        Optional<Duration> sessionTimeout,
        List<String> jvmArguments,
        SortedMap<Integer, Integer> debug,
        SortedSet<Integer> manualRanks,
        Duration manualRanksTimeout,
        Optional<Shard> shard,
        boolean requireDevices,
        DurationsPlace durations,
        KernelSettings kernels,
        SimulatorSettings simulator,
        SlurmSettings slurm,
        TimelineMode timeline,
        TimelineMode.Arguments timelineArguments,
        GoldenMode golden,
        Progress progress) {

    /** What is shown of a run while it runs. */
    public enum Progress {

        /** {@link #LIVE} if this process itself prints to a terminal, else {@link #PLAIN}. */
        AUTO,

        /** One line for each group at the bottom of the terminal. */
        LIVE,

        /** A line when something takes long. */
        PLAIN,

        /** Nothing. */
        OFF
    }

    /** What tests do with their goldens. */
    public enum GoldenMode {

        /** They compare their outputs. */
        VERIFY,

        /** Those with golden files write their outputs into the files; the others compare theirs. */
        UPDATE,

        /** Nothing is compared, and results say so. */
        SKIP;

        /** CI systems set the variable CI. */
        static GoldenMode read(String value, Map<String, String> environment) {
            GoldenMode mode = ConfigKey.GOLDEN.oneOf(values(), value);
            String ci = environment.getOrDefault("CI", "").strip();
            if (mode == UPDATE && !ci.isEmpty() && !ci.equalsIgnoreCase("false")) {
                throw ConfigurationException.of(
                        ConfigKey.GOLDEN,
                        value,
                        "this is CI (the environment variable CI is \"" + ci + "\"), where outputs do not become golden"
                                + " files. Update them on your machine, look at the changes, and commit them.");
            }
            return mode;
        }
    }

    private static final int MAX_SIMULATOR_DEVICES = 64;
    private static final int MAX_PARALLEL = 1024;
    private static final Pattern FAULTS =
            Pattern.compile("\\d{1,4}:(?:[1-9]\\d{5}|hang)(?:,\\d{1,4}:(?:[1-9]\\d{5}|hang))*");
    private static final int MAX_PORT = 65535;
    private static final int MAX_SHARDS = 1024;

    /**
     * Returns the number of ranks that replaces those of the tests; empty for none. {@link #read} reports an invalid
     * value.
     */
    public static OptionalInt otherCount(Function<String, Optional<String>> lookup) {
        try {
            return otherCount(lookup.apply(ConfigKey.WORLD_SIZE.key())
                    .map(String::strip)
                    .orElse(ConfigKey.WORLD_SIZE.defaultValue()));
        } catch (ConfigurationException e) {
            return OptionalInt.empty();
        }
    }

    /** Returns which seeds tests are shaken with, as {@link #otherCount(Function)}. */
    public static Optional<SimulatorSettings.Shake> shake(Function<String, Optional<String>> lookup) {
        try {
            return SimulatorSettings.shake(
                    lookup.apply(ConfigKey.SIM_SHAKE.key()).map(String::strip).orElse("off"));
        } catch (ConfigurationException e) {
            return Optional.empty();
        }
    }

    /** Returns the number of measured rounds of every test, as {@link #otherCount(Function)}. */
    public static OptionalInt rounds(Function<String, Optional<String>> lookup) {
        try {
            return rounds(
                    lookup.apply(ConfigKey.ROUNDS.key()).map(String::strip).orElse(ConfigKey.ROUNDS.defaultValue()));
        } catch (ConfigurationException e) {
            return OptionalInt.empty();
        }
    }

    /** No key: builds name the version of RankUnit so, and Maven passes on what its command line sets. */
    private static final String VERSION_OF_BUILDS = ConfigKey.PREFIX + "version";

    /**
     * Reads all keys.
     *
     * @param lookup returns the value of a key, if it is set
     * @param names all names that are set, including those of other programs
     * @throws ConfigurationException at the first invalid key or value
     */
    public static Settings read(Function<String, Optional<String>> lookup, Collection<String> names) {
        refuseUnknown(names);
        refuseContradiction(lookup);
        Function<ConfigKey, String> value =
                key -> lookup.apply(key.key()).map(String::strip).orElse(key.defaultValue());
        rounds(value.apply(ConfigKey.ROUNDS));
        TimeoutLadder.check(key -> lookup.apply(key.key()).map(String::strip));
        return new Settings(
                platform(value.apply(ConfigKey.PLATFORM)),
                ranks(value.apply(ConfigKey.ONLY_WORLD_SIZES)),
                runtimes(value.apply(ConfigKey.RUNTIME)),
                maxParallel(value.apply(ConfigKey.MAX_PARALLEL)),
                Optional.of(value.apply(ConfigKey.DEVICES)).filter(slice -> !slice.equals("all")),
                simulatorDevices(value.apply(ConfigKey.SIM_DEVICES)),
                simulatorFaults(value.apply(ConfigKey.SIM_FAULTS)),
                path(ConfigKey.POOL_DIR, value.apply(ConfigKey.POOL_DIR)),
                path(ConfigKey.OUTPUT_DIR, value.apply(ConfigKey.OUTPUT_DIR)).orElseGet(Settings::defaultOutput),
                Quantity.bytes(ConfigKey.WINDOW_SIZE, value.apply(ConfigKey.WINDOW_SIZE)),
                commLibrary(value.apply(ConfigKey.COMM_LIBRARY), value.apply(ConfigKey.COMM_LIBRARY_FORM)),
                Quantity.duration(ConfigKey.LEASE_TIMEOUT, value.apply(ConfigKey.LEASE_TIMEOUT)),
                Quantity.duration(ConfigKey.BOOTSTRAP_TIMEOUT, value.apply(ConfigKey.BOOTSTRAP_TIMEOUT)),
                Quantity.duration(ConfigKey.DEVICE_TIMEOUT, value.apply(ConfigKey.DEVICE_TIMEOUT)),
                Quantity.duration(ConfigKey.COMM_TIMEOUT, value.apply(ConfigKey.COMM_TIMEOUT)),
                Quantity.duration(ConfigKey.TEST_TIMEOUT, value.apply(ConfigKey.TEST_TIMEOUT)),
                sessionTimeout(value.apply(ConfigKey.SESSION_TIMEOUT)),
                words(value.apply(ConfigKey.JVM_ARGS)),
                debug(value.apply(ConfigKey.DEBUG)),
                manualRanks(value.apply(ConfigKey.MANUAL_RANKS)),
                Quantity.duration(ConfigKey.MANUAL_RANKS_TIMEOUT, value.apply(ConfigKey.MANUAL_RANKS_TIMEOUT)),
                shard(value.apply(ConfigKey.SHARD)),
                truth(ConfigKey.REQUIRE_DEVICES, value.apply(ConfigKey.REQUIRE_DEVICES)),
                durations(value.apply(ConfigKey.DURATIONS)),
                KernelSettings.read(value, project()),
                SimulatorSettings.read(value),
                SlurmSettings.read(value),
                TimelineMode.read(ConfigKey.TIMELINE, value.apply(ConfigKey.TIMELINE)),
                TimelineMode.Arguments.read(ConfigKey.TIMELINE_ARGUMENTS, value.apply(ConfigKey.TIMELINE_ARGUMENTS)),
                GoldenMode.read(value.apply(ConfigKey.GOLDEN), System.getenv()),
                ConfigKey.PROGRESS.oneOf(Progress.values(), value.apply(ConfigKey.PROGRESS)));
    }

    private static void refuseUnknown(Collection<String> names) {
        for (String name : new TreeSet<>(names)) {
            if (name.startsWith(ConfigKey.PREFIX)
                    && !name.equals(VERSION_OF_BUILDS)
                    && !ConfigKey.isParameter(name)
                    && ConfigKey.named(name).isEmpty()) {
                throw new ConfigurationException(ConfigKey.renamed(name)
                        .map(now -> name + " was renamed to " + now.key() + ".")
                        .orElseGet(() -> name + ": there is no such configuration key. Did you mean "
                                + ConfigKey.nearest(name).key() + "?"));
            }
        }
    }

    private static void refuseContradiction(Function<String, Optional<String>> lookup) {
        Optional<String> filter = lookup.apply(ConfigKey.ONLY_WORLD_SIZES.key()).filter(value -> !value.equals("all"));
        Optional<String> nranks = lookup.apply(ConfigKey.WORLD_SIZE.key());
        if (nranks.isPresent()) {
            OptionalInt other = otherCount(nranks.get().strip());
            if (other.isPresent() && filter.isPresent()) {
                throw new ConfigurationException(ConfigKey.ONLY_WORLD_SIZES.key() + " = \"" + filter.get() + "\" and "
                        + ConfigKey.WORLD_SIZE.key() + " = \"" + nranks.get()
                        + "\" contradict each other: the first selects among the numbers that tests declare, the second"
                        + " replaces them. Set only one of the two.");
            }
        }
    }

    private static Optional<Duration> sessionTimeout(String value) {
        return value.equals(ConfigKey.SESSION_TIMEOUT.defaultValue())
                ? Optional.empty()
                : Optional.of(Quantity.duration(ConfigKey.SESSION_TIMEOUT, value));
    }

    private static OptionalInt rounds(String value) {
        return value.equals(ConfigKey.ROUNDS.defaultValue())
                ? OptionalInt.empty()
                : OptionalInt.of(number(ConfigKey.ROUNDS, value, value, 1, Rounds.MAX));
    }

    private static OptionalInt otherCount(String value) {
        return value.equals(ConfigKey.WORLD_SIZE.defaultValue())
                ? OptionalInt.empty()
                : OptionalInt.of(number(ConfigKey.WORLD_SIZE, value, value, 1, DeviceCount.MAX));
    }

    private static Optional<Platform> platform(String value) {
        if (value.equals("auto")) {
            return Optional.empty();
        }
        return Optional.of(Platform.named(value)
                .orElseThrow(() -> ConfigurationException.of(
                        ConfigKey.PLATFORM,
                        value,
                        "there is no such platform. Give one of auto, " + Platform.known())));
    }

    private static Set<Integer> ranks(String value) {
        Set<Integer> ranks = new TreeSet<>();
        if (!value.equals("all")) {
            for (String part : value.split(",", -1)) {
                ranks.add(number(ConfigKey.ONLY_WORLD_SIZES, value, part.strip(), 1, DeviceCount.MAX));
            }
        }
        return Set.copyOf(ranks);
    }

    /** Any names, since those that tests may use are not known before the tests are. */
    private static Set<String> runtimes(String value) {
        if (value.equals("all")) {
            return Set.of();
        }
        List<String> names =
                Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        if (names.contains("")) {
            throw ConfigurationException.of(
                    ConfigKey.RUNTIME, value, "give names of runtimes, such as host_build_graph; or all.");
        }
        return Set.copyOf(names);
    }

    private static OptionalInt maxParallel(String value) {
        return value.equals("auto")
                ? OptionalInt.empty()
                : OptionalInt.of(number(ConfigKey.MAX_PARALLEL, value, value, 1, MAX_PARALLEL));
    }

    /** Parses a list of {@code rank} or {@code rank:port}. */
    private static SortedMap<Integer, Integer> debug(String value) {
        SortedMap<Integer, Integer> ports = new TreeMap<>();
        if (!value.isBlank()) {
            for (String part : value.split(",", -1)) {
                String[] pair = part.strip().split(":", 2);
                int rank = number(ConfigKey.DEBUG, value, pair[0], 0, DeviceCount.MAX - 1);
                ports.put(rank, pair.length == 1 ? 0 : number(ConfigKey.DEBUG, value, pair[1], 1, MAX_PORT));
            }
        }
        return Collections.unmodifiableSortedMap(ports);
    }

    private static SortedSet<Integer> manualRanks(String value) {
        SortedSet<Integer> ranks = new TreeSet<>();
        if (!value.isBlank()) {
            for (String part : value.split(",", -1)) {
                ranks.add(number(ConfigKey.MANUAL_RANKS, value, part.strip(), 0, DeviceCount.MAX - 1));
            }
        }
        return Collections.unmodifiableSortedSet(ranks);
    }

    private static Optional<Shard> shard(String value) {
        if (value.equals(ConfigKey.SHARD.defaultValue())) {
            return Optional.empty();
        }
        String[] pair = value.split("/", -1);
        if (pair.length != 2) {
            throw ConfigurationException.of(
                    ConfigKey.SHARD, value, "give the shard and the number of shards, as in 2/5.");
        }
        int count = number(ConfigKey.SHARD, value, pair[1].strip(), 1, MAX_SHARDS);
        return Optional.of(new Shard(number(ConfigKey.SHARD, value, pair[0].strip(), 1, count), count));
    }

    private static boolean truth(ConfigKey key, String value) {
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw ConfigurationException.of(key, value, "give true or false.");
    }

    private static DurationsPlace durations(String value) {
        if (value.equals("none")) {
            return DurationsPlace.NONE;
        }
        return path(ConfigKey.DURATIONS, value)
                .map(DurationsPlace::shared)
                .orElseGet(() -> DurationsPlace.ofProject(project()));
    }

    /** Whether ranks on simulators record what happens on their devices. */
    public boolean recordsEvents() {
        return timeline.records() || simulator.checks() != SimulatorSettings.Checks.OFF;
    }

    /** Whether some rank waits for a debugger or is started by hand. If so, no time-out applies. */
    public boolean isDebugging() {
        return !debug.isEmpty() || !manualRanks.isEmpty();
    }

    private static String simulatorFaults(String value) {
        if (value.equals(ConfigKey.SIM_FAULTS.defaultValue())) {
            return "";
        }
        if (!FAULTS.matcher(value).matches()) {
            throw ConfigurationException.of(
                    ConfigKey.SIM_FAULTS,
                    value,
                    "give devices, each with an error of six digits or with hang, such as 3:507015,5:hang; or none.");
        }
        return value;
    }

    private static Optional<ForeignLibrary> commLibrary(String value, String form) {
        CommInitForm initForm = switch (form) {
            case "auto" -> CommInitForm.BY_LIBRARY;
            case "stream" -> CommInitForm.STREAM;
            case "device" -> CommInitForm.DEVICE;
            case "plain" -> CommInitForm.PLAIN;
            default ->
                throw ConfigurationException.of(
                        ConfigKey.COMM_LIBRARY_FORM, form, "give one of auto, stream, device, plain.");
        };
        if (value.equals(ConfigKey.COMM_LIBRARY.defaultValue())) {
            if (initForm != CommInitForm.BY_LIBRARY) {
                throw ConfigurationException.of(
                        ConfigKey.COMM_LIBRARY_FORM,
                        form,
                        "it applies to " + ConfigKey.COMM_LIBRARY.key() + ", which is not set.");
            }
            return Optional.empty();
        }
        Optional<Path> file = path(ConfigKey.COMM_LIBRARY, value);
        if (file.isEmpty() || !Files.isRegularFile(file.get())) {
            throw ConfigurationException.of(ConfigKey.COMM_LIBRARY, value, "there is no such file.");
        }
        return Optional.of(new ForeignLibrary(file.get(), initForm));
    }

    private static int simulatorDevices(String value) {
        return number(ConfigKey.SIM_DEVICES, value, value, 0, MAX_SIMULATOR_DEVICES);
    }

    static int number(ConfigKey key, String value, String part, int min, int max) {
        try {
            int number = Integer.parseInt(part);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException ignored) {
            // Reported below, together with numbers out of range.
        }
        throw ConfigurationException.of(
                key, value, "'" + part + "' is not a whole number from " + min + " to " + max + ".");
    }

    private static Optional<Path> path(ConfigKey key, String value) {
        if (value.equals("auto")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(value).toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            throw ConfigurationException.of(key, value, "not a path: " + e.getReason() + ".");
        }
    }

    /** Returns the output folder of the build tool, chosen in the same way as JUnit does for its reports. */
    private static Path defaultOutput() {
        Path project = project();
        boolean gradle = !Files.exists(project.resolve("pom.xml"))
                && (Files.exists(project.resolve("build.gradle")) || Files.exists(project.resolve("build.gradle.kts")));
        return project.resolve(gradle ? "build" : "target").resolve("rankunit");
    }

    /** Returns the folder of the module whose tests run. */
    public static Path project() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    }

    static List<String> words(String value) {
        return value.isBlank() ? List.of() : List.of(value.strip().split("\\s+"));
    }
}
