package org.rankunit.engine.slurm.step;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.rankunit.engine.slurm.job.SlurmCommands;
import org.rankunit.engine.slurm.job.SlurmException;
import org.slf4j.LoggerFactory;

/** Does something to a rank's process on its node, by a small step of its own beside the rank's. Thread-safe. */
final class NodeCommands {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** The letter of the process's state, after its name in parentheses. */
    private static final String STATE = "sed 's/.*) \\(.\\).*/\\1/' /proc/\"$0\"/stat";

    private final SlurmCommands slurm;
    private final String job;

    NodeCommands(SlurmCommands slurm, String job) {
        this.slurm = slurm;
        this.job = job;
    }

    /** Send SIGKILL to a process. */
    void kill(String node, long pid) {
        run(node, "kill -KILL \"$0\"", pid);
    }

    /** Ask a JVM for the stacks of all threads, which it prints. */
    void dump(String node, long pid) {
        run(node, "kill -QUIT \"$0\"", pid);
    }

    /** Whether a process is stopped; empty if that is not known. */
    Optional<Boolean> isStopped(String node, long pid) {
        return run(node, STATE, pid).map(state -> state.strip().equals("T"));
    }

    private Optional<String> run(String node, String script, long pid) {
        List<String> command = List.of(
                "srun",
                "--jobid=" + job,
                "--overlap",
                "--nodes=1",
                "--ntasks=1",
                "--nodelist=" + node,
                "--gres=none",
                "--mpi=none",
                "--immediate=5",
                "sh",
                "-c",
                script,
                Long.toString(pid));
        try {
            SlurmCommands.Output output = slurm.run(LIMIT, command);
            return output.exit() == 0 ? Optional.of(output.out()) : Optional.empty();
        } catch (SlurmException e) {
            LoggerFactory.getLogger(NodeCommands.class).debug("Nothing can be run on {}", node, e);
            return Optional.empty();
        }
    }
}
