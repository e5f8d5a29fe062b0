package org.rankunit.engine.timeline;

/** What tasks are called. Stateless. */
public final class TaskText {

    /** A task in a ring has the number of the ring in the upper bits of its number. */
    private static final int RING_SHIFT = 56;

    private TaskText() {}

    /** Returns {@code "7"}, or {@code "2.7"} for a task of ring 2. */
    public static String number(LoggedEvent.Task task) {
        long ring = task.id() >>> RING_SHIFT;
        return (ring == 0 ? "" : ring + ".") + (task.id() & ((1L << RING_SHIFT) - 1));
    }

    /** Returns its name; that of its kernel if it has none. */
    public static String name(TestRange range, LoggedEvent.Task task) {
        String name = range.text(task.text());
        return name.isEmpty() ? range.text(task.kernel()) : name;
    }
}
