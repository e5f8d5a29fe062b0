package org.rankunit.engine.slurm.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code srun} writes to its standard error, as Slurm 22.05 does, line by line. */
final class StepMessages {

    /** More tasks are not from Slurm, but from a task that writes such a line. */
    private static final int MAX_TASKS = 100_000;

    private static final String NUMBER = "\\d{1,6}";

    private static final String TASKS = NUMBER + "(?:-" + NUMBER + ")?(?:," + NUMBER + "(?:-" + NUMBER + ")?)*";

    private static final Pattern TASK_ENDED =
            Pattern.compile("srun: error: (\\S+): tasks? (" + TASKS + "): (.+?)(?: \\(core dumped\\))?");
    private static final Pattern NODE_FAILED = Pattern.compile("srun: error: Node failure on (\\S+)");
    private static final Pattern LAUNCH_FAILED =
            Pattern.compile("srun: error: Task launch for \\S+ failed on node (\\S+): (.+)");

    /** {@code slurmstepd-node1} is one of several daemons of a machine. Labels, as of {@code -l}, may precede it. */
    private static final Pattern CANCELLED = Pattern.compile("(?:" + NUMBER
            + ": )?(?:srun|slurmstepd\\S*): error: \\*\\*\\* (?:STEP|JOB) \\S+(?: ON \\S+)? CANCELLED AT \\S+"
            + "(?: DUE TO (.+?)(?:, SEE .*)?)? \\*\\*\\*");

    private static final Pattern CANCELLED_IN_QUEUE = Pattern.compile("srun: Job has been cancelled");
    private static final Pattern STEP_WAITS =
            Pattern.compile("srun: Job \\d+ step creation (?:temporarily|still) disabled, retrying \\((.+)\\)");
    private static final Pattern JOB_WAITS = Pattern.compile("srun: job \\d+ (queued and waiting for resources)");

    private StepMessages() {}

    /** Reads one line without its end. */
    static StepMessage read(String line) {
        Matcher ended = TASK_ENDED.matcher(line);
        if (ended.matches()) {
            List<Integer> tasks = tasks(ended.group(2));
            OptionalInt exitCode = TaskEnd.exitCode(ended.group(3));
            return tasks.isEmpty() || exitCode.isEmpty()
                    ? new StepMessage.Other(line)
                    : new StepMessage.TaskEnded(ended.group(1), tasks, exitCode.getAsInt());
        }
        Matcher nodeFailed = NODE_FAILED.matcher(line);
        if (nodeFailed.matches()) {
            return new StepMessage.NodeFailed(nodeFailed.group(1));
        }
        Matcher launchFailed = LAUNCH_FAILED.matcher(line);
        if (launchFailed.matches()) {
            return new StepMessage.LaunchFailed(launchFailed.group(1), launchFailed.group(2));
        }
        return readState(line);
    }

    private static StepMessage readState(String line) {
        Matcher cancelled = CANCELLED.matcher(line);
        if (cancelled.matches()) {
            String why = cancelled.group(1);
            return new StepMessage.Cancelled(why == null ? "" : why.toLowerCase(Locale.ROOT));
        }
        if (CANCELLED_IN_QUEUE.matcher(line).matches()) {
            return new StepMessage.Cancelled("");
        }
        for (Pattern waits : List.of(STEP_WAITS, JOB_WAITS)) {
            Matcher matcher = waits.matcher(line);
            if (matcher.matches()) {
                return new StepMessage.Waiting(matcher.group(1));
            }
        }
        return new StepMessage.Other(line);
    }

    /** Returns no tasks if there are too many. */
    private static List<Integer> tasks(String text) {
        List<Integer> tasks = new ArrayList<>();
        for (String range : text.split(",", -1)) {
            String[] ends = range.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (tasks.size() + last - first >= MAX_TASKS) {
                return List.of();
            }
            for (int task = first; task <= last; task++) {
                tasks.add(task);
            }
        }
        return tasks;
    }
}
