package org.rankunit.engine.slurm.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * A small process that cancels a job when this process ends, however it ends. Slurm keeps a job that {@code salloc --no-shell} has
 * taken until its time is up, and nothing else would end it after a SIGKILL.
 *
 * <p>It knows the job by its name, which is random: this process may end before the job has a number.
 */
final class ReleaseGuard implements AutoCloseable {

    /**
     * The end of its input is the end of this process. A request for the job may still be on its way then, so it cancels more than
     * once. An answer means that it is not needed any more.
     */
    private static final String SCRIPT = "trap '' HUP INT TERM; read -r answer && exit 0;"
            + " for i in 1 2 3 4 5; do scancel --quiet --name=\"$1\"; sleep 1; done";

    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

    private final Process process;

    private ReleaseGuard(Process process) {
        this.process = process;
    }

    /** Guard the jobs of this user that have this name. */
    static ReleaseGuard of(String jobName, SlurmCommands slurm) {
        List<String> command = new ArrayList<>();
        // What kills this process may kill its whole process group or session.
        SETSID.stream().filter(Files::isExecutable).findFirst().ifPresent(path -> command.add(path.toString()));
        command.addAll(List.of("sh", "-c", SCRIPT, "rankunit-release-guard", jobName));
        try {
            return new ReleaseGuard(slurm.builder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw SlurmCommands.cannotRun(command, e);
        }
    }

    /** The job could not be released: leave it to the guard, which goes on after this process. */
    void tryLater() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LoggerFactory.getLogger(ReleaseGuard.class).debug("The guard of a job has ended before", e);
        }
    }

    /** The job is released: end the guard. */
    @Override
    public void close() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().close();
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(ReleaseGuard.class).debug("The guard of a job has ended before", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
