package org.rankunit.engine.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.protocol.wire.ControlAddress;

/** Starts the ranks of a group, all at once. Thread-safe: several groups may start at the same time. */
public interface RankLauncher {

    /** Where the parent listens for the ranks of a group that has this folder. */
    default ControlAddress control(Path groupFolder) throws IOException {
        return new ControlAddress.OfFile(groupFolder.resolve("control"));
    }

    /** How long a rank may be silent before its node is asked; empty if all ranks run on this machine. */
    default Optional<Duration> silence() {
        return Optional.empty();
    }

    /** How ranks reach the files of this machine; empty if they see them. Known once ranks have been started. */
    default Optional<FileAccess> files() {
        return Optional.empty();
    }

    /**
     * Start one process for each device, except for the ranks that a person starts. Returns once all are started, not when they
     * are ready.
     *
     * @return the ranks, which the caller must {@linkplain LaunchedRanks#end end}
     * @throws java.nio.file.FileSystemException if the logs of the ranks cannot be written
     * @throws IOException if a rank cannot be started; in that case none is left running
     */
    LaunchedRanks start(GroupLaunch group) throws IOException;
}
