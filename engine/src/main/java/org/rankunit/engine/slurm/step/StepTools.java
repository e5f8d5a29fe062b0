package org.rankunit.engine.slurm.step;

import java.nio.file.Path;

/**
 * What the ranks of a group need of the launcher.
 *
 * @param logs where JVMs that crash leave their reports, with names that begin like {@code group}
 */
record StepTools(NodeCommands nodes, NodeWatch watch, DevicesInUse devices, Path logs, String group) {

    /**
     * The file of a crash report of a rank on a node; {@code %p} stands for the id of the process. A step on several nodes has no
     * name for its ranks' nodes, so that two of them might have the same file; they crash at different times.
     */
    String crashReportPattern(StepPart part) {
        return logs.resolve(nameOfReports(part)).toString().replace("%", "%%") + "%p.log";
    }

    Path crashReport(StepPart part, long pid) {
        return logs.resolve(nameOfReports(part) + pid + ".log");
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
