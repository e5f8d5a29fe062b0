package org.rankunit.engine.slurm.step;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.rankunit.engine.slurm.files.NodeCopy;

/**
 * What the ranks of a group need of the launcher.
 *
 * @param logs where JVMs that crash leave their reports, with names that begin like {@code group}
 * @param copy the copies on the nodes of files that ranks need; empty if they see those of this machine
 */
record StepTools(
        NodeCommands nodes, NodeWatch watch, DevicesInUse devices, Path logs, String group, Optional<NodeCopy> copy) {

    /**
     * The file of a crash report of a rank on a node; {@code %p} stands for the id of the process. A step on several nodes has no
     * name for its ranks' nodes, so that two of them might have the same file; they crash at different times.
     */
    String crashReportPattern(StepPart part) {
        Path folder = copy.map(NodeCopy::folder).orElse(logs);
        return folder.resolve(nameOfReports(part)).toString().replace("%", "%%") + "%p.log";
    }

    /** The crash report of a rank, if there is one. A rank that does not see this machine's files has left it on its node. */
    Optional<Path> crashReport(StepPart part, String node, long pid) {
        String name = nameOfReports(part) + pid + ".log";
        Path report = logs.resolve(name);
        if (copy.isPresent() && !Files.exists(report)) {
            bring(node, copy.get().folder().resolve(name), report);
        }
        return Files.isRegularFile(report) ? Optional.of(report) : Optional.empty();
    }

    /** Copy what a rank has recorded, if it does not see this machine's files. */
    void bringRecord(String node, Path log) {
        if (copy.isPresent() && !watch.isLost(node)) {
            nodes.fetchRecord(node, copy.get().copyOf(log), log);
        }
    }

    /** Copy what a rank has printed, if it does not see this machine's files. */
    void bringOutput(String node, Path log) {
        copy.ifPresent(copies -> bring(node, copies.logOf(log), log));
    }

    private void bring(String node, Path from, Path to) {
        if (!watch.isLost(node)) {
            nodes.fetch(node, from, to);
        }
    }

    private String nameOfReports(StepPart part) {
        return group + "-" + part.nodes().get(0) + "-hs_err-";
    }

    /** Run a command on a node without waiting for it; each is bounded. */
    void inBackground(Runnable task) {
        Thread thread = new Thread(task, "rankunit-node-command");
        thread.setDaemon(true);
        thread.start();
    }
}
