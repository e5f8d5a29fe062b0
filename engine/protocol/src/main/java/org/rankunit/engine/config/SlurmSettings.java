package org.rankunit.engine.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * How a run uses Slurm.
 *
 * @param launcher what starts the ranks
 * @param allocate arguments of {@code salloc} for a job that this run takes for itself; empty if it uses one that exists
 * @param allocateTimeout how long the run waits for that job
 * @param gres the generic resource that stands for devices: {@code npu}, or with its type {@code gpu:ascend910b}
 * @param gresUnit how many devices a site gives out together, such as the two dies of one card
 * @param deviceIds where ranks take the numbers of their devices from
 * @param files how nodes get the files that ranks need
 * @param nodeFolder a folder on each node for copied files
 * @param srunArguments further arguments of each {@code srun}
 * @param nodeTimeout how long a node may not answer before its ranks count as lost
 */
public record SlurmSettings(
        Launcher launcher,
        Optional<List<String>> allocate,
        Duration allocateTimeout,
        String gres,
        int gresUnit,
        DeviceIds deviceIds,
        Files files,
        Path nodeFolder,
        List<String> srunArguments,
        Duration nodeTimeout) {

    /** Slurm would read a type that is a number, such as {@code 4} or {@code 2K}, as a count. */
    private static final Pattern GRES =
            Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*(:(?!\\d+[KMGTPkmgtp]?$)[A-Za-z0-9_.-]+)?");

    private static final int MAX_UNITS = 64;

    /** The beginning of the argument of {@code srun} that names such a means; its last one counts. */
    private static final String MPI = "--mpi=";

    /** What starts ranks. */
    public enum Launcher {

        /** Slurm inside a job with several nodes, or if this run takes a job for itself; else this machine. */
        AUTO,

        /** Processes of this machine. */
        LOCAL,

        /** Steps of a Slurm job. */
        SLURM
    }

    /** Where ranks take the numbers of their devices from. */
    public enum DeviceIds {

        /** From the environment of the step, as the site sets it. */
        STEP,

        /** From what Slurm says of the job, for sites whose steps are not told. */
        JOB,

        /** Counted from 0 in each step, for sites where a step sees no other devices than its own. */
        COUNT
    }

    /** How nodes get the files that ranks need. */
    public enum Files {

        /** They see them if they can; else these are copied. */
        AUTO,

        /** On a file system that all nodes see, under the same paths. */
        SHARED,

        /** Copied to each node at the beginning of a run. */
        COPIED
    }

    /** Whether the tasks of a step get a means of Slurm's to find each other, as processes of MPI do. */
    public boolean connectsTasks() {
        return srunArguments.stream()
                .filter(argument -> argument.startsWith(MPI))
                .reduce((first, last) -> last)
                .filter(last -> !last.equals(MPI + "none"))
                .isPresent();
    }

    static SlurmSettings read(Function<ConfigKey, String> value) {
        Launcher launcher = ConfigKey.LAUNCHER.oneOf(Launcher.values(), value.apply(ConfigKey.LAUNCHER));
        Optional<List<String>> allocate = allocate(value.apply(ConfigKey.SLURM_ALLOCATE));
        if (launcher == Launcher.LOCAL && allocate.isPresent()) {
            throw ConfigurationException.of(
                    ConfigKey.SLURM_ALLOCATE,
                    value.apply(ConfigKey.SLURM_ALLOCATE),
                    ConfigKey.LAUNCHER.key() + " is local, which uses no job. Set only one of the two.");
        }
        String unit = value.apply(ConfigKey.SLURM_GRES_UNIT);
        return new SlurmSettings(
                launcher,
                allocate,
                Quantity.duration(ConfigKey.SLURM_ALLOCATE_TIMEOUT, value.apply(ConfigKey.SLURM_ALLOCATE_TIMEOUT)),
                gres(value.apply(ConfigKey.SLURM_GRES)),
                Settings.number(ConfigKey.SLURM_GRES_UNIT, unit, unit, 1, MAX_UNITS),
                ConfigKey.SLURM_DEVICE_IDS.oneOf(DeviceIds.values(), value.apply(ConfigKey.SLURM_DEVICE_IDS)),
                ConfigKey.SLURM_FILES.oneOf(Files.values(), value.apply(ConfigKey.SLURM_FILES)),
                nodeFolder(value.apply(ConfigKey.SLURM_NODE_FOLDER)),
                Settings.words(value.apply(ConfigKey.SLURM_SRUN_ARGS)),
                Quantity.duration(ConfigKey.SLURM_NODE_TIMEOUT, value.apply(ConfigKey.SLURM_NODE_TIMEOUT)));
    }

    private static Optional<List<String>> allocate(String value) {
        return value.equals(ConfigKey.SLURM_ALLOCATE.defaultValue())
                ? Optional.empty()
                : Optional.of(Settings.words(value));
    }

    private static Path nodeFolder(String value) {
        Path folder = Path.of(value);
        if (!folder.isAbsolute()) {
            throw ConfigurationException.of(ConfigKey.SLURM_NODE_FOLDER, value, "give an absolute path.");
        }
        return folder;
    }

    private static String gres(String value) {
        if (!GRES.matcher(value).matches()) {
            throw ConfigurationException.of(
                    ConfigKey.SLURM_GRES,
                    value,
                    "give the name of a generic resource, such as npu, or its name and type, such as gpu:ascend910b.");
        }
        return value;
    }
}
