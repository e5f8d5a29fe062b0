package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/**
 * What an algorithm sees while it queues the tasks of one rank.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface Orchestration {

    CollectiveCall call();

    /** The rank whose tasks are queued. */
    int rank();

    /** The main stream: the caller waits for it. The work of others counts only if the main stream waits for it. */
    TaskStream main();

    /**
     * Get a sub stream.
     *
     * @param number from 0 to that of the {@link Resources}
     * @throws OrchestrationException if the resources have no such stream
     */
    TaskStream sub(int number);

    /**
     * Get a notify between the streams of this rank.
     *
     * @throws OrchestrationException if the resources have no such notify
     */
    LocalNotify notify(int number);

    /**
     * Get the first link to a rank.
     *
     * @throws OrchestrationException if the resources have none
     */
    default Link link(int peer) {
        return link(peer, 0);
    }

    /**
     * Get a link to a rank.
     *
     * @param number among those to the same rank
     * @throws OrchestrationException if the resources have no such link
     */
    Link link(int peer, int number);

    /** Get all of a buffer of this rank. */
    default Region buffer(BufferKind kind) {
        return buffer(kind, rank());
    }

    /** Get all of a buffer of a rank. */
    Region buffer(BufferKind kind, int rank);

    /**
     * Name the line of a file that the next tasks come from, such as {@code "ring.xml:12"}. Findings name it in place of the line of the
     * algorithm's class. For algorithms that are read from files.
     */
    default void setLine(String line) {}

    /** All of this rank's input. */
    default Region input() {
        return buffer(BufferKind.INPUT);
    }

    /** All of this rank's output. */
    default Region output() {
        return buffer(BufferKind.OUTPUT);
    }
}
