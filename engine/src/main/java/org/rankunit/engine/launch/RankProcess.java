package org.rankunit.engine.launch;

import java.util.Optional;
import java.util.concurrent.Future;

/**
 * The process of one rank, on whatever node it runs.
 *
 * <p>Thread-safe. No method blocks: the thread that hears all ranks of a group calls them. Whether a rank is dead is known first
 * from its channel; the process confirms it, sooner or later, and says how it ended.
 */
public interface RankProcess {

    /** The rank, counted from 0. */
    int rank();

    /** The device that the rank uses, with the node that the process runs on. */
    DeviceRef device();

    /** Name the process for a message: {@code pid 4711}. */
    String describe();

    /** Everything that the rank prints. */
    RankLog log();

    /** How the process ended, as far as is known by now; empty while it is taken to live. */
    Optional<ExitStatus> exitStatus();

    /**
     * Call {@code hear} once when the process is known to have ended, on any thread; at once if it is known already.
     * {@link #exitStatus} is present by then.
     */
    void onExit(Runnable hear);

    /** Find out whether the process has ended, since its channel has. The answer comes through {@link #onExit}. */
    void confirmExit();

    /** Describe how the process ended, with everything that is known of the reason. */
    String explain(ExitStatus status);

    /** What the rank left behind when it died: where it crashed, or else the last lines that it printed. */
    String lastWords();

    /** Begin to end the process, whatever state it is in. */
    void kill();

    /** Begin to look at a process that does not answer. The result comes within seconds; cancelling stops the inspection. */
    Future<ProcessInspection> inspect();
}
