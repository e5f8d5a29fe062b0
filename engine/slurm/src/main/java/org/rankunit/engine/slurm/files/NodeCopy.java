package org.rankunit.engine.slurm.files;

import java.nio.file.Path;
import java.util.Objects;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.protocol.FileAccess;

/**
 * Copies of the files that ranks need, in the same folder on each node.
 *
 * @param folder that folder
 * @param command the command of a rank there
 * @param access how a rank gets further files
 */
public record NodeCopy(Path folder, RankCommand command, FileAccess access) {

    /** The folder with native libraries. */
    static final String LIBRARIES = "native";

    /** The file with the class path. */
    static final String ARGUMENTS = "classpath.args";

    /** The folder with the entries of the class path. */
    static final String CLASS_PATH = "classpath";

    /** The folder in which ranks keep copies of the launcher's files, and write theirs. */
    static final String FILES = "files";

    /** Where Slurm writes what a rank prints. */
    public Path logOf(Path log) {
        return folder.resolve("logs").resolve(Objects.requireNonNull(log.getFileName()));
    }

    /** Where a rank has a file of the launcher. */
    public Path copyOf(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        return folder.resolve(FILES)
                .resolve(Objects.requireNonNull(whole.getRoot()).relativize(whole));
    }
}
