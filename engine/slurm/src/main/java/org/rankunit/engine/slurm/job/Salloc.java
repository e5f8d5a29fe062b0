package org.rankunit.engine.slurm.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.files.RandomHex;
import org.rankunit.engine.site.SiteException;
import org.slf4j.LoggerFactory;

/** Takes one job for a run by {@code salloc --no-shell}. Stateless. */
final class Salloc {

    /** How often a person is told that the run waits. */
    private static final Duration NEWS = Duration.ofSeconds(10);

    private static final Pattern GRANTED = Pattern.compile("Granted job allocation (\\d+)");

    private static final Pattern GRES = Pattern.compile("--gres[= ](\\S+)");

    private Salloc() {}

    /** A name that no other job of the user has. */
    static String randomName() {
        return "rankunit-" + RandomHex.of(6);
    }

    /**
     * The whole command. Without a word about tasks or processors, Slurm would give the job one processor on each node: then it is
     * asked for one for each device.
     */
    static List<String> command(String name, List<String> arguments, GresName gres) {
        List<String> command = new ArrayList<>(List.of("salloc", "--no-shell", "--no-kill", "--job-name=" + name));
        command.addAll(arguments);
        boolean saysProcessors = arguments.stream()
                .anyMatch(a -> a.matches("(-n|-c).*|--(ntasks|cpus|tasks|ntasks-per|cpus-per|exclusive|mincpus).*"));
        if (!saysProcessors) {
            devicesPerNode(arguments, gres).ifPresent(count -> command.add("--ntasks-per-node=" + count));
        }
        return command;
    }

    /** All types are counted if the resource has none. */
    private static OptionalInt devicesPerNode(List<String> arguments, GresName gres) {
        Matcher matcher = GRES.matcher(String.join(" ", arguments));
        if (!matcher.find()) {
            return OptionalInt.empty();
        }
        String type = gres.type().isEmpty() ? "(?::[^:,]+)?" : "";
        int[] counts = Pattern.compile(
                        "(?:^|,)(?:gres:)?" + Pattern.quote(gres.toString()) + type + ":(\\d{1,6})(?=,|$)")
                .matcher(matcher.group(1))
                .results()
                .mapToInt(count -> Integer.parseInt(count.group(1)))
                .toArray();
        return counts.length == 0
                ? OptionalInt.empty()
                : OptionalInt.of(IntStream.of(counts).sum());
    }

    /**
     * Wait until the job is granted. Returns its id.
     *
     * @param news receives why the run waits, for a person
     * @throws SiteException if Slurm refuses the job, or does not grant it in time; then it is not waiting any more
     */
    static String take(List<String> command, String name, Duration limit, SlurmCommands slurm, Consumer<String> news) {
        Path err = null;
        Process process = null;
        try {
            err = Files.createTempFile("rankunit-salloc", ".err");
            process = slurm.builder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(err.toFile())
                    .start();
            process.getOutputStream().close();
            awaitEnd(process, command, name, limit, slurm, news);
            return idOf(process.exitValue(), command, SlurmCommands.text(err));
        } catch (IOException e) {
            throw SlurmCommands.cannotRun(command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SiteException("interrupted while waiting for a Slurm job", e);
        } finally {
            if (process != null && process.isAlive()) {
                // It gives the request up.
                process.destroy();
            }
            if (err != null && !err.toFile().delete()) {
                LoggerFactory.getLogger(Salloc.class).debug("Cannot delete {}", err);
            }
        }
    }

    private static void awaitEnd(
            Process process,
            List<String> command,
            String name,
            Duration limit,
            SlurmCommands slurm,
            Consumer<String> news)
            throws InterruptedException {
        long begin = System.nanoTime();
        long deadline = begin + limit.toNanos();
        long next = begin + Duration.ofSeconds(2).toNanos();
        while (!process.waitFor(Math.min(next, deadline) - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            String state = stateOf(name, slurm);
            if (System.nanoTime() - deadline >= 0) {
                throw new SiteException("Slurm has granted no job within " + limit.toSeconds() + " s ("
                        + ConfigKey.SLURM_ALLOCATE_TIMEOUT.key() + ") for " + String.join(" ", command) + state);
            }
            news.accept("waits for a Slurm job since " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin)
                    + " s" + state);
            next = System.nanoTime() + NEWS.toNanos();
        }
    }

    private static String stateOf(String name, SlurmCommands slurm) {
        try {
            String state = slurm.ask("squeue", "--noheader", "--name=" + name, "--format=job %i is %T (%r)")
                    .strip();
            return state.isEmpty() ? "" : ": " + state;
        } catch (SiteException e) {
            return ": " + e.getMessage();
        }
    }

    private static String idOf(int exit, List<String> command, String output) {
        Matcher granted = GRANTED.matcher(output);
        if (exit == 0 && granted.find()) {
            return granted.group(1);
        }
        throw new SiteException(String.join(" ", command) + " failed with exit code " + exit + ": "
                + new SlurmCommands.Output(exit, "", output).complaint() + ". Change "
                + ConfigKey.SLURM_ALLOCATE.key() + ", or see sinfo for what the cluster has.");
    }
}
