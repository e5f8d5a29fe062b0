package org.rankunit.engine.launch;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.RankPlace;

/**
 * The process of one rank, on whatever node it runs.
 *
 * <p>Thread-safe. No method blocks: they are called on the thread that listens to all ranks of a group. The death of a rank is
 * first noticed through its channel; the process confirms it sooner or later and tells how it ended.
 */
public interface RankProcess {

    /** The rank, counted from 0. */
    int rank();

    /** The device that the rank uses, with the node that the process runs on. */
    DeviceRef device();

    /** The number of the device in the platform's runtime, if the process itself has said so. */
    default OptionalInt runtimeDevice() {
        return OptionalInt.empty();
    }

    /**
     * A task of a cluster has connected and says where it runs.
     *
     * @return why it must not run there; empty if it may
     */
    default Optional<String> joined(RankPlace place) {
        return Optional.empty();
    }

    /**
     * Find out whether the node of the process still answers, because the process is silent. If not, {@code lost} receives a clause
     * that says so, on any thread.
     */
    default void checkNode(Consumer<String> lost) {}

    /** Whether nothing more can be started on its node. */
    default boolean isNodeLost() {
        return false;
    }

    /** What keeps the process from being started, in the words of what should start it; empty if nothing does. */
    default Optional<String> startWaitsFor() {
        return Optional.empty();
    }

    /** Whether the process was not started although its device is free, so that another try may succeed. */
    default boolean isStartRefused() {
        return false;
    }

    /** Name the process for a message: {@code pid 4711}. */
    String describe();

    /** The line by which a person starts the process in a shell; empty if the launcher has started it. */
    default Optional<String> manualCommand() {
        return Optional.empty();
    }

    /** Everything that the rank prints. */
    RankLog log();

    /** How the process ended, as far as is known by now; empty while it is assumed to be alive. */
    Optional<ExitStatus> exitStatus();

    /**
     * Call {@code hear} once when the process is known to have ended, on any thread; immediately if that is known already.
     * {@link #exitStatus} is present by then.
     */
    void onExit(Runnable hear);

    /** Find out whether the process has ended, because its channel has. The answer comes through {@link #onExit}. */
    void confirmExit();

    /** Describe how the process ended, with everything that is known about the reason. */
    String explain(ExitStatus status);

    /** The thread that has ended the process by a crash, {@code abort} or {@code exit}; 0 if none is known to have. */
    default int endingThread() {
        return 0;
    }

    /** What the rank left behind when it died: where it crashed, or else its last lines of output. */
    String lastWords();

    /**
     * Get what the rank has recorded, if it does not see this machine's files and can no longer publish it itself.
     *
     * @param log where this machine has its record of events
     */
    default void bringRecord(Path log) {}

    /** Start ending the process, whatever state it is in. Does not wait for its end. */
    void kill();

    /** Start inspecting a process that does not answer. The result is available within seconds; cancelling stops the inspection. */
    Future<ProcessInspection> inspect();
}
