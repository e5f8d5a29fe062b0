package org.rankunit.engine.slurm.files;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.engine.site.SiteException;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.engine.slurm.job.NodeShare;
import org.rankunit.engine.slurm.job.SlurmCommands;

/** Does the same on each node of a job that is not lost, by a small step beside those of ranks. Thread-safe. */
final class NodeShell {

    private static final Duration SCRIPT_LIMIT = Duration.ofSeconds(60);
    private static final Duration COPY_LIMIT = Duration.ofMinutes(5);

    private final Allocation allocation;

    NodeShell(Allocation allocation) {
        this.allocation = allocation;
    }

    /**
     * Run a script.
     *
     * @return what it has printed on all nodes
     * @throws SiteException if it fails on a node, or takes too long
     */
    String run(String script, List<String> arguments) {
        List<String> names = allocation.job().nodes().stream()
                .map(NodeShare::node)
                .filter(node -> allocation.lost().reason(node).isEmpty())
                .toList();
        if (names.isEmpty()) {
            throw new SiteException("all nodes of the job are lost");
        }
        List<String> command = new ArrayList<>(List.of(
                "srun",
                "--jobid=" + allocation.job().id(),
                "--overlap",
                "--nodes=" + names.size(),
                "--nodelist=" + String.join(",", names),
                "--ntasks=" + names.size(),
                "--ntasks-per-node=1",
                "--gres=none",
                "--mpi=none",
                // Every node ends on its own: srun drops what a node has said of its failure when it terminates the
                // step.
                "--kill-on-bad-exit=0",
                "--chdir=/",
                "sh",
                "-c",
                script,
                "rankunit"));
        command.addAll(arguments);
        SlurmCommands.Output output = allocation.slurm().run(SCRIPT_LIMIT, command);
        if (output.exit() != 0) {
            // Without the script, which is long and is not the user's.
            throw new SiteException(output.complaint());
        }
        return output.out();
    }

    /** Copy a file to all nodes. */
    void broadcast(Path file, Path target) {
        allocation
                .slurm()
                .ask(
                        COPY_LIMIT,
                        List.of(
                                "sbcast",
                                "--force",
                                "--jobid=" + allocation.job().id(),
                                file.toString(),
                                target.toString()));
    }
}
