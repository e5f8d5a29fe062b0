package org.rankunit.engine.slurm.step;

import java.util.List;

/**
 * What a line on the standard error of {@code srun} says. Tasks write there, too, unless {@code --error} sends their
 * output to files, and can write any of these lines.
 */
sealed interface StepMessage {

    /**
     * Tasks have ended on a node, other than with exit code 0, which {@code srun} does not report.
     *
     * @param node needed to know the ranks of a heterogeneous step: {@code srun} numbers the tasks of each of its
     *     components from 0, while {@code SLURM_PROCID} counts through all of them
     * @param tasks ascending; equal to the ranks in a step with one component
     * @param exitCode as Java reports it: 128 and the signal for a task that a signal ended
     */
    record TaskEnded(String node, List<Integer> tasks, int exitCode) implements StepMessage {

        public TaskEnded {
            tasks = List.copyOf(tasks);
        }
    }

    /** Slurm gives up on a node. It comes after Slurm's own timeout, {@code SlurmdTimeout}. */
    record NodeFailed(String node) implements StepMessage {}

    /** No task could be started on a node. */
    record LaunchFailed(String node, String why) implements StepMessage {}

    /**
     * Slurm ends the tasks of the step.
     *
     * @param why in lower case, {@code time limit}, {@code preemption}, {@code node failure} or {@code job requeue};
     *     empty if Slurm does not say. That means nothing: Slurm does not say it of steps that a person cancels or that
     *     {@code srun} ends because a task has failed, and not of preemption with a grace period. Only the state of the
     *     job then tells.
     */
    record Cancelled(String why) implements StepMessage {}

    /** The step or its job waits for resources. */
    record Waiting(String why) implements StepMessage {}

    /** Anything else, such as output of tasks. */
    record Other(String text) implements StepMessage {}
}
