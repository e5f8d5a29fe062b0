package org.rankunit.engine.slurm.step;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line that starts one step. It asks for exactly the tasks and devices of its ranks, so that steps of other groups run
 * beside it.
 *
 * @param job the id of the job
 * @param gres what each node gives the step, such as {@code npu:2}; empty for no device
 * @param cpusPerTask processors of each rank
 * @param overlaps whether it starts also if the books of Slurm say that others have what it asks for
 * @param further further arguments, given by the user
 */
record SrunCommand(String job, String gres, int cpusPerTask, boolean overlaps, List<String> further) {

    /**
     * A shell that each task begins as. The mark makes processes that the rank leaves behind known, and both streams go through one
     * pipe, because only then they keep their order. It looks first whether the node sees the run's files and its JDK.
     */
    private static final String SHELL = """
            for file in "$2" "$3"; do
                if [ ! -e "$file" ]; then
                    echo "rankunit: node $SLURMD_NODENAME has no $file. $1"
                    exit 66
                fi
            done
            shift 2
            RANKUNIT_RANK="$RANKUNIT_RANK$((RANKUNIT_FIRST_RANK + SLURM_PROCID))"
            export RANKUNIT_RANK
            exec "$@" 2>&1
            """;

    /** The beginning of the argument by which tasks get Slurm's means to find each other. */
    private static final String MPI = "--mpi=";

    /**
     * The command.
     *
     * @param log where what a rank prints is written on this machine, for the task {@code %t}
     * @param place where the ranks run, on their nodes
     * @param rank the command of each rank; begins with the path of a program
     */
    List<String> of(StepPart part, String name, String log, TaskPlace place, List<String> rank) {
        List<String> command = new ArrayList<>(List.of(
                "srun",
                "--jobid=" + job,
                "--job-name=" + name,
                "--exact",
                "--nodes=" + part.nodes().size(),
                "--nodelist=" + String.join(",", part.nodes()),
                "--ntasks=" + part.ranks(),
                "--ntasks-per-node=" + part.ranksPerNode(),
                "--cpus-per-task=" + cpusPerTask,
                "--distribution=block",
                "--gres=" + (gres.isEmpty() ? "none" : gres),
                // A rank's death is the engine's to handle, which releases the others and asks them what they did.
                "--kill-on-bad-exit=0",
                "--wait=0",
                "--chdir=" + place.workingDirectory(),
                "--output=" + log,
                // What Slurm itself says of the step comes here as well. Ranks write nothing to it.
                "--error=/dev/stderr"));
        if (overlaps) {
            command.add("--overlap");
        }
        if (further.stream().noneMatch(argument -> argument.startsWith(MPI))) {
            command.add(MPI + "none");
        }
        command.addAll(further);
        command.addAll(List.of(
                "sh",
                "-c",
                SHELL,
                "rankunit-rank",
                place.advice(),
                place.needed().toString()));
        command.addAll(rank);
        return command;
    }
}
