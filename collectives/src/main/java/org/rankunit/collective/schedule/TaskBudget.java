package org.rankunit.collective.schedule;

import java.util.Locale;

/** How many tasks may be queued. One thread at a time. */
final class TaskBudget {

    /** What a task takes while it is verified or timed. */
    private static final long BYTES_OF_TASK = 64;

    private final long most;
    private final String what;
    private long left;

    /** @param what the tasks are of, for people */
    TaskBudget(long most, String what) {
        this.most = most;
        this.what = what;
        this.left = most;
    }

    /** As many as there is memory for. */
    static long ofMemory() {
        return Runtime.getRuntime().maxMemory() / BYTES_OF_TASK;
    }

    void take() {
        if (--left < 0) {
            throw new TooManyTasksException(
                    String.format(Locale.ROOT, "%s has more than %,d tasks: too many to hold in memory", what, most));
        }
    }
}
