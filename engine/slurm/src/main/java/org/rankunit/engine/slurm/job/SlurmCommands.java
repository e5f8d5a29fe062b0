package org.rankunit.engine.slurm.job;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.rankunit.engine.site.SiteException;
import org.slf4j.LoggerFactory;

/** Runs Slurm's commands, each for a bounded time. Thread-safe. */
public final class SlurmCommands {

    /** How long a command that only asks may take; the controller may be restarting meanwhile. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Variables of Slurm that a command gets: others describe the job step of this process, and would be taken as options. */
    private static final List<String> KEPT = List.of("SLURM_CONF", "SLURM_CLUSTERS", "SLURM_CLUSTER_NAME");

    private final Map<String, String> environment;

    /** @param environment the environment of this process */
    public SlurmCommands(Map<String, String> environment) {
        this.environment = withoutStep(environment);
    }

    /** The result of a command. */
    public record Output(int exit, String out, String err) {

        /** What the command said, in one line. */
        public String complaint() {
            return (err.isBlank() ? out : err)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.joining("; "));
        }
    }

    private static Map<String, String> withoutStep(Map<String, String> all) {
        Map<String, String> kept = new TreeMap<>(all);
        kept.keySet()
                .removeIf(name -> (name.startsWith("SLURM_")
                                || name.startsWith("SBATCH_")
                                || name.startsWith("SALLOC_")
                                || name.startsWith("PMI"))
                        && !KEPT.contains(name));
        return kept;
    }

    /** The environment of each command. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Run a command and wait for its end.
     *
     * @throws SiteException if it cannot be started, fails, or takes too long
     */
    public String ask(String... command) {
        return ask(PATIENCE, List.of(command));
    }

    /**
     * Run a command and wait for its end.
     *
     * @throws SiteException if it cannot be started, fails, or takes too long
     */
    public String ask(Duration limit, List<String> command) {
        Output output = run(limit, command);
        if (output.exit() != 0) {
            throw new SiteException(
                    shown(command) + " failed with exit code " + output.exit() + ": " + output.complaint());
        }
        return output.out();
    }

    /**
     * Run a command and wait for its end, whatever its exit code is.
     *
     * @throws SiteException if it cannot be started or takes too long
     */
    public Output run(Duration limit, List<String> command) {
        Path folder = temporaryFolder();
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        try {
            Process process = builder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(out)
                    .redirectError(err)
                    .start();
            if (!hasEnded(process, limit)) {
                process.destroyForcibly();
                throw new SiteException(shown(command) + " did not answer within " + limit.toMillis() + " ms");
            }
            return new Output(process.exitValue(), text(out.toPath()), text(err.toPath()));
        } catch (IOException e) {
            throw cannotRun(command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SiteException("interrupted while waiting for " + command.get(0), e);
        } finally {
            delete(List.of(out, err, folder.toFile()));
        }
    }

    /** What a command has printed; bytes that are not text, as in a foreign name, are replaced. */
    static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** If the answer is no longer wanted, the command ends: srun then ends its tasks. */
    private static boolean hasEnded(Process process, Duration limit) throws InterruptedException {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroy();
            throw e;
        }
    }

    /** A script that is an argument is not the user's. */
    private static String shown(List<String> command) {
        return command.stream()
                .map(argument -> argument.contains("\n") ? "…" : argument)
                .collect(Collectors.joining(" "));
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("rankunit-slurm");
        } catch (IOException e) {
            throw new SiteException("cannot create a file for the output of a command (java.io.tmpdir): " + e, e);
        }
    }

    private static void delete(List<File> files) {
        for (File file : files) {
            if (file.exists() && !file.delete()) {
                LoggerFactory.getLogger(SlurmCommands.class).debug("Cannot delete {}", file);
            }
        }
    }

    /** A command with the environment of all of Slurm's commands, to be started by the caller. */
    public ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    /** A command could not be started. */
    public static SiteException cannotRun(List<String> command, IOException e) {
        return new SiteException(
                command.get(0) + " cannot be run: " + e.getMessage()
                        + ". Slurm's commands must be on the PATH of the machine that starts the run.",
                e);
    }
}
