package org.rankunit.engine.config;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All configuration keys. Keys are read as JUnit configuration parameters, which include system properties. */
public enum ConfigKey {
    PLATFORM("platform", "auto", "One of a2a3, a5, a2a3sim, a5sim for the whole run, or auto"),
    ONLY_WORLD_SIZES(
            "only-world-sizes", "all", "Run only the variants with these numbers of ranks, for example 2,4; or all"),
    WORLD_SIZE("world-size", "as-declared", "Run the tests that allow it on this number of ranks instead of their own"),
    RUNTIME("runtime", "all", "Run only the variants with these runtimes, for example host_build_graph; or all"),
    MAX_PARALLEL(
            "max-parallel",
            "auto",
            "How many groups of ranks work at the same time; auto: on a simulator as many ranks as cores, on"
                    + " hardware as many groups as there are devices for"),
    DEVICES(
            "devices",
            "all",
            "Devices that this run may use, for example 4-7 or 0,2-4,7: of the hardware, or of the simulator if"
                    + " there is no hardware or rankunit.platform names a simulator"),
    SIM_DEVICES("sim.devices", "16", "Number of virtual devices of each simulator, from 0 to 64"),
    SIM_FAULTS(
            "sim.faults",
            "none",
            "Devices of the simulator that fail, each with the vendor's error code or with hang: 3:507015,5:hang"),
    POOL_DIR("pool-dir", "auto", "Folder in which the processes of this machine agree on who holds which device"),
    OUTPUT_DIR("output-dir", "auto", "Folder of report.json and the logs of the ranks"),
    WINDOW_SIZE("window-size", "200MiB", "Size of each rank's window in the communicator"),
    COMM_LIBRARY(
            "comm-library",
            "none",
            "Third-party communication library: the path of a shared library that exports the comm_* functions"),
    COMM_LIBRARY_FORM(
            "comm-library-form",
            "auto",
            "Arguments of comm_init in rankunit.comm-library: stream, device or plain; auto: what its"
                    + " comm_init_form returns, else stream"),
    LEASE_TIMEOUT("lease-timeout", "10m", "How long a test waits for its devices"),
    BOOTSTRAP_TIMEOUT("bootstrap-timeout", "120s", "How long the ranks may take to come up"),
    TEST_TIMEOUT("test-timeout", "5m", "How long one test may take on all its ranks"),
    COMM_TIMEOUT(
            "comm-timeout",
            "120s",
            "How long a rank waits for others in its communicator; less than rankunit.test-timeout"),
    DEVICE_TIMEOUT("device-timeout", "60s", "How long a kernel may run on its device"),
    SESSION_TIMEOUT(
            "session-timeout", "none", "How long all tests of this run may take together, for example 2h; or none"),
    LAUNCHER(
            "launcher",
            "auto",
            "What starts the ranks: local, processes of this machine; slurm, steps of a Slurm job; or auto: slurm inside a"
                    + " job with several nodes, or if rankunit.slurm.allocate is set, else local"),
    SLURM_ALLOCATE(
            "slurm.allocate",
            "none",
            "Arguments of salloc for a Slurm job that this run takes for itself, for example -N2 --gres=npu:8; or none: it"
                    + " uses the job inside which it runs"),
    SLURM_ALLOCATE_TIMEOUT("slurm.allocate-timeout", "30m", "How long the run waits for that job"),
    SLURM_GRES(
            "slurm.gres",
            "npu",
            "Slurm's generic resource that stands for devices: its name, such as npu, or its name and type, such as"
                    + " gpu:ascend910b"),
    SLURM_GRES_UNIT(
            "slurm.gres-unit",
            "1",
            "How many devices Slurm gives out together, for example 2 where it gives the two dies of a card"),
    SLURM_DEVICE_IDS(
            "slurm.device-ids",
            "step",
            "Where the numbers of devices come from: step, the environment of the step; job, the indexes that Slurm"
                    + " shows for the job; or count, from 0 in each step, where a step sees only its own devices"),
    SLURM_FILES(
            "slurm.files",
            "auto",
            "How nodes get the files that ranks need: shared, on a file system that all of them see; copied, by Slurm at the"
                    + " beginning of the run; or auto: copied if a node does not see them"),
    SLURM_NODE_FOLDER(
            "slurm.node-folder", "/tmp", "A folder on each node for copied files, which is not the same on two nodes"),
    SLURM_SRUN_ARGS("slurm.srun-args", "", "Additional arguments of each srun, separated by blanks"),
    SLURM_NODE_TIMEOUT(
            "slurm.node-timeout", "1500ms", "How long a node of the job may not answer before its ranks count as lost"),
    KERNEL_SOURCES(
            "kernel-sources",
            "src/test/kernels",
            "Folders with kernel sources in aiv, aic and orchestration, separated by commas, besides kernels/ on the"
                    + " class path"),
    CXX("cxx", "c++", "C++ compiler for kernel sources: a name on the PATH or a path, possibly with arguments"),
    CXXFLAGS("cxxflags", "", "Additional arguments of that compiler, separated by blanks"),
    COMPILE_TIMEOUT("compile-timeout", "2m", "How long the compiler may take for one kernel"),
    JVM_ARGS("jvm-args", "", "Additional JVM arguments of the ranks, separated by blanks"),
    DEBUG(
            "debug",
            "",
            "Ranks that wait for a debugger before they start, for example 0 or 0:5005,1; time-outs are off"),
    MANUAL_RANKS(
            "manual-ranks",
            "",
            "Ranks that you start yourself, by the command lines that the run prints, for example 1 or 0,1; time-outs"
                    + " are off"),
    MANUAL_RANKS_TIMEOUT("manual-ranks-timeout", "30m", "How long the run waits until you have started these ranks"),
    ROUNDS("rounds", "declared", "How many measured rounds each device test runs; declared: as many as it declares"),
    SHARD("shard", "none", "Run only this part of the classes, for example 2/5: the second of five; or none"),
    REQUIRE_DEVICES(
            "require-devices",
            "false",
            "Whether a test for which there are too few devices fails; otherwise it is skipped"),
    SIM_CHECK(
            "sim.check",
            "ranges",
            "What simulators check in each test: ranges, the order of accesses to the bytes of copies and of tasks'"
                    + " arguments, and of signals; bytes, also what kernels from source access through pointers; or off"),
    SIM_UNCHECKED(
            "sim.unchecked",
            "fail",
            "What becomes of a test on simulators that passes and cannot be checked, for example because its record is full:"
                    + " fail or warn"),
    SIM_RECORD_SIZE(
            "sim.record-size",
            "2GiB",
            "Size of the record that each rank on simulators keeps of its tests, on the disk of the temporary folder; from 64KiB"
                    + " to 2GiB"),
    SIM_MUTATE(
            "sim.mutate",
            "none",
            "A step that one rank leaves out of each test on simulators, to see whether the test notices: <rank>:<step>:<number>,"
                    + " such as 0:edge:3; or none"),
    SIM_SHAKE(
            "sim.shake",
            "off",
            "With which seed simulators run all tests, for example random:7, pct:7 or delay:7; with which seed the tests"
                    + " that name a number of seeds start, for example from:1001; or off"),
    TIMELINE(
            "timeline",
            "off",
            "For which tests on simulators a timeline is written to the folder trace of the output folder: off, failed"
                    + " or on"),
    TIMELINE_ARGUMENTS(
            "timeline.arguments",
            "none",
            "What of the arguments of tasks is written beside a timeline: none, values, or memory"),
    GOLDEN(
            "golden",
            "verify",
            "What tests do with their goldens: verify; update, which writes the outputs of tests with golden files into the"
                    + " files, not on CI; or skip, which compares nothing"),
    PROGRESS(
            "progress",
            "auto",
            "What is shown while tests run: live, a line for each group at the bottom of the terminal; plain, a line when"
                    + " something takes long; off; or auto: live if this process prints to a terminal, else plain"),
    DURATIONS(
            "durations",
            "auto",
            "File that records how long tests took in earlier runs; auto: a file in the user's cache folder; or none");

    /** Prefix of the names of parameters, which tests read, not the engine. */
    public static final String PARAMETER_PREFIX = "rankunit.param.";

    static final String PREFIX = "rankunit.";

    /** Names that keys had before. */
    private static final Map<String, ConfigKey> RENAMED = Map.of(
            PREFIX + "ranks", ONLY_WORLD_SIZES,
            PREFIX + "nranks", WORLD_SIZE,
            PREFIX + "start-by-hand", MANUAL_RANKS,
            PREFIX + "start-by-hand-timeout", MANUAL_RANKS_TIMEOUT,
            PREFIX + "simulator-devices", SIM_DEVICES,
            PREFIX + "simulator-faults", SIM_FAULTS,
            PREFIX + "sim.leave-out", SIM_MUTATE);

    private static final int MAX_COMPARED = 200;

    private final String key;
    private final String defaultValue;
    private final String description;

    ConfigKey(String name, String defaultValue, String description) {
        this.key = PREFIX + name;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public String description() {
        return description;
    }

    /** Whether this is the name of a parameter for tests. */
    public static boolean isParameter(String name) {
        return name.startsWith(PARAMETER_PREFIX) && name.length() > PARAMETER_PREFIX.length();
    }

    /** Returns the constant whose name in lower case is the value of this key. */
    <E extends Enum<E>> E oneOf(E[] constants, String value) {
        return Arrays.stream(constants)
                .filter(each -> word(each).equals(value))
                .findFirst()
                .orElseThrow(() -> ConfigurationException.of(
                        this,
                        value,
                        "give one of "
                                + Arrays.stream(constants).map(ConfigKey::word).collect(Collectors.joining(", "))
                                + "."));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static Optional<ConfigKey> named(String name) {
        return Arrays.stream(values()).filter(key -> key.key.equals(name)).findFirst();
    }

    /** The key that had this name before. */
    static Optional<ConfigKey> renamed(String name) {
        return Optional.ofNullable(RENAMED.get(name));
    }

    /**
     * Returns the key that a mistyped name most likely means: one that has all its words if there is any. The words may
     * be in another order. Of a name that is far longer than any key, only the beginning counts.
     */
    static ConfigKey nearest(String mistyped) {
        String name = mistyped.substring(0, Math.min(MAX_COMPARED, mistyped.length()));
        String sorted = sortedWords(name);
        List<String> words = List.of(sorted.split("-", -1));
        Comparator<ConfigKey> lacksWords = Comparator.comparing(
                key -> !List.of(sortedWords(key.key).split("-", -1)).containsAll(words));
        return Arrays.stream(values())
                .min(lacksWords.thenComparingInt(
                        key -> Math.min(distance(key.key, name), distance(sortedWords(key.key), sorted))))
                .orElseThrow();
    }

    /** "rankunit.timeout.test", "rankunit.testTimeout" and "rankunit.test-timeout" have the same words. */
    private static String sortedWords(String name) {
        return Arrays.stream(name.split("[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])", -1))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining("-"));
    }

    /** Returns the number of single-character edits between two texts (Levenshtein distance). */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        Arrays.setAll(previous, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
