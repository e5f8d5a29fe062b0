package org.rankunit.engine.check.program;

import java.util.List;
import org.rankunit.device.Comparison;

/** What an actor of a random program does. Identity matters: a record of an event is what its waits refer to. */
sealed interface Step {

    /** Reads or writes a buffer. */
    record Access(int buffer, boolean write, Id id) implements Step {}

    /** A kernel, whose blocks read some buffers and write a part of others, with their steps in between. */
    record Kernel(List<Integer> reads, List<Integer> writes, List<List<Step>> blocks) implements Step {}

    /** By a host: runs a graph of tasks and waits for its end. */
    record Graph(List<Task> tasks) implements Step {}

    /**
     * A task of one block.
     *
     * @param after the tasks that it depends on, all of which come before it in the graph
     */
    record Task(int buffer, boolean write, List<Integer> after, List<Step> inside) {}

    record Signal(int cell, boolean add, int value) implements Step {}

    record Wait(int cell, Comparison comparison, int value) implements Step {}

    record Post(int number) implements Step {}

    record Take(int number) implements Step {}

    record RecordEvent(Id id) implements Step {}

    record WaitEvent(RecordEvent recorded) implements Step {}

    /** By a host: puts the next work on a stream of its rank. */
    record Enqueue(int stream) implements Step {}

    /** By a host: waits for all that it has put on a stream. */
    record Synchronize(int stream) implements Step {}

    /** By the hosts of all ranks. */
    record Barrier(int number) implements Step {}

    /** By a host: starts a thread of its rank. */
    record Start(int thread) implements Step {}

    /** The first step of a thread. */
    record Begin(int thread) implements Step {}

    /** By a host: waits for the end of a thread. */
    record Join(int thread) implements Step {}

    /** By a host or a thread: counts down a latch of its own. */
    record Release(Id id) implements Step {}

    /** By a host or a thread: waits for a latch. */
    record Acquire(Release released) implements Step {}

    /** Makes equal steps different. */
    final class Id {}
}
