package org.rankunit.engine.launch;

import java.io.IOException;

/** Starts the ranks of a group, all at once. Thread-safe: several groups may start at the same time. */
public interface RankLauncher {

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
