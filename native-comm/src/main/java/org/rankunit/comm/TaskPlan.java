package org.rankunit.comm;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.CollFunctions;

/**
 * The tasks of one rank for a collective, prepared to run on a communicator, any number of times; {@code rankunit/coll.h} says what
 * they do. Made by {@link Communicator#plan}.
 *
 * <p>Threads and failures: as for {@link Communicator}; a run counts as one of its calls.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class TaskPlan implements AutoCloseable {

    /** How many words each task has. */
    public static final int WORDS = 5;

    /**
     * What all tasks of a plan have in common.
     *
     * @param type a {@code CollType}
     * @param reduction a {@code CollReduction}
     * @param memory a {@code CollMemory}
     */
    public record Setting(int type, int reduction, int memory) {}

    /** The tasks of one rank. */
    public static final class Tasks {

        private final long[] words;
        private final String lines;

        /**
         * @param words {@link #WORDS} of each task; not copied
         * @param lines the lines of the algorithm that queued them, such as {@code "RingAllReduce.java:41"}, one on each line of the text;
         *     tasks have their numbers. May be empty
         */
        public Tasks(long[] words, String lines) {
            this.words = words;
            this.lines = lines;
        }

        /** Number of tasks. */
        public int count() {
            return words.length / WORDS;
        }
    }

    private final CommCalls calls;
    private final Consumer<Runnable> recorder;
    private final String call;
    private final int number;
    private volatile boolean closed;

    private TaskPlan(CommCalls calls, Consumer<Runnable> recorder, String call, int number) {
        this.calls = calls;
        this.recorder = recorder;
        this.call = call;
        this.number = number;
    }

    static TaskPlan of(
            CommCalls calls, Consumer<Runnable> recorder, String call, long schedule, Setting setting, Tasks tasks) {
        int[] number = new int[1];
        recorder.accept(() -> calls.call(
                "plan of " + call,
                h -> CollFunctions.coll_plan_create(
                        h,
                        call,
                        schedule,
                        setting.type(),
                        setting.reduction(),
                        setting.memory(),
                        tasks.words,
                        tasks.count(),
                        tasks.lines,
                        number)));
        return new TaskPlan(calls, recorder, call, number[0]);
    }

    /**
     * Run the tasks and wait for their end.
     *
     * @param input where the caller's input is: an offset in the windows or an address, by the setting
     * @param output where the caller's output is
     */
    public void run(long input, long output) {
        if (closed) {
            throw new IllegalStateException("the plan of " + call + " is closed");
        }
        recorder.accept(() -> calls.call(call, h -> CollFunctions.coll_plan_run(h, number, input, output)));
    }

    /**
     * Free the plan on this rank, without waiting for others. Further calls have no effect, and neither has a call after the
     * communicator was closed, which freed the plan.
     */
    @Override
    public void close() {
        if (closed || calls.handle().isClosed()) {
            return;
        }
        calls.call("end of the plan of " + call, h -> CollFunctions.coll_plan_destroy(h, number));
        closed = true;
    }
}
