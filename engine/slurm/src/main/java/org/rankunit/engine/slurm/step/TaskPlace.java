package org.rankunit.engine.slurm.step;

import java.nio.file.Path;

/**
 * Where a task runs on its node.
 *
 * @param workingDirectory where its process starts
 * @param needed a file or folder that the node must have
 * @param advice what to do if it has not, or has no JDK
 */
record TaskPlace(Path workingDirectory, Path needed, String advice) {

    /** A place on a file system that all nodes see. */
    static TaskPlace shared(Path workingDirectory, Path session) {
        return new TaskPlace(
                workingDirectory,
                session,
                "The output folder (rankunit.output-dir), the class path and the JDK must be on a file system that all"
                        + " nodes of the job see, under the same paths. With rankunit.slurm.files = copied, only the"
                        + " JDK must be.");
    }

    /** A folder to which the files of the run were copied. */
    static TaskPlace copied(Path folder) {
        return new TaskPlace(
                folder,
                folder,
                "The JDK must be installed on all nodes of the job, under the same path; all other files of the run were"
                        + " copied to them when it began (rankunit.slurm.files).");
    }
}
