package org.rankunit.engine.timeline;

import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent.Look;
import org.rankunit.engine.timeline.LoggedEvent.Moment;
import org.rankunit.engine.timeline.LoggedEvent.Step;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.LoggedEvent.Way;
import org.rankunit.engine.timeline.LoggedEvent.WorkKind;

/** The numbers of the kinds of events, and what their words mean. */
public enum EventKind {
    MARK(2, (at, w) -> new LoggedEvent.Mark(at, w[0] == 1, (int) w[1])),
    ACTOR(3, (at, w) -> new LoggedEvent.Actor(at, LoggedEvent.ActorKind.of(w[0]), w[1], (int) w[2])),
    ACQUIRE(5, (at, w) -> new LoggedEvent.Acquire(at, (int) w[0], w[1])),
    ORDER_IS_UNKNOWN(6, (at, w) -> new LoggedEvent.OrderIsUnknown(at, (int) w[0])),
    ALLOCATE(10, (at, w) -> new LoggedEvent.Allocate(at, w[0], w[1], (int) w[2])),
    FREE(11, (at, w) -> new LoggedEvent.Free(at, w[0], (int) w[1])),
    COPY(12, (at, w) -> new LoggedEvent.Copy(at, Way.of(w[0]), w[1], w[2], w[3], (int) w[4])),
    WINDOW(13, (at, w) -> new LoggedEvent.Window(at, w[0], w[1], low(w[2]), high(w[2]), w[3], w[4])),
    WINDOWS_FREED(14, (at, w) -> new LoggedEvent.WindowsFreed(at, w[0], w[1])),
    NAMED(17, (at, w) -> new LoggedEvent.Named(at, w[0], w[1], (int) w[2])),
    POINTER_ACCESS(
            18,
            (at, w) -> new LoggedEvent.PointerAccess(
                    at, w[0], w[1], Math.max(1, Integer.toUnsignedLong(high(w[2]))), w[4], low(w[2]) != 0, (int) w[3])),
    ATOMIC_CHANGE(
            19,
            (at, w) -> new LoggedEvent.AtomicChange(
                    at, w[0], w[1], Math.max(1, Integer.toUnsignedLong(high(w[2]))), w[4])),
    BARRIER_BEGIN(15, (at, w) -> new LoggedEvent.BarrierBegin(at, w[0], w[1], w[2])),
    BARRIER_END(16, (at, w) -> new LoggedEvent.BarrierEnd(at, w[0], w[1], w[2])),
    ENQUEUE(20, (at, w) -> new LoggedEvent.Enqueue(at, w[0], WorkKind.of(w[1]), (int) w[2], (int) w[3], (int) w[4])),
    WORK_BEGIN(21, (at, w) -> new LoggedEvent.WorkBegin(at, w[0], WorkKind.of(w[1]), (int) w[2], (int) w[3])),
    WORK_END(22, (at, w) -> new LoggedEvent.WorkEnd(at, w[0], WorkKind.of(w[1]), (int) w[2], w[3] != 0)),
    STREAM_SYNC(23, (at, w) -> new LoggedEvent.StreamSync(at, (int) w[0], w[1])),
    EVENT_RECORD(24, (at, w) -> new LoggedEvent.EventRecord(at, w[0])),
    EVENT_WAIT(25, (at, w) -> new LoggedEvent.EventWait(at, w[0])),
    NOTIFY_POST(26, (at, w) -> new LoggedEvent.NotifyPost(at, w[0], w[1], w[2])),
    NOTIFY_WAIT(27, (at, w) -> new LoggedEvent.NotifyWait(at, w[0], w[1])),
    NOTIFY_GONE(28, (at, w) -> new LoggedEvent.NotifyGone(at, w[0])),
    SIGNAL(30, (at, w) -> new LoggedEvent.Signal(at, w[0], low(w[1]) == 1, (int) w[2], w[3], high(w[1]), (int) w[4])),
    WAIT(31, (at, w) -> new LoggedEvent.Wait(at, w[0], (int) w[1], (int) w[2], w[3], low(w[4]), Look.of(high(w[4])))),
    BLOCK_BEGIN(
            32,
            (at, w) -> new LoggedEvent.BlockBegin(
                    at,
                    low(w[0]),
                    high(w[0]),
                    w[1],
                    low(w[2]),
                    high(w[2]),
                    low(w[3]),
                    low(w[4]) == 1,
                    high(w[4]),
                    high(w[3]) == 1)),
    BLOCK_END(33, (at, w) -> new LoggedEvent.BlockEnd(at, w[0] != 0)),
    ARGUMENT(34, (at, w) -> new LoggedEvent.Argument(at, (int) w[0], Use.of(w[1]), w[2], w[3], w[4])),
    GRAPH_BEGIN(40, (at, w) -> new LoggedEvent.GraphBegin(at, w[0], (int) w[1], (int) w[2])),
    GRAPH_END(41, (at, w) -> new LoggedEvent.GraphEnd(at, w[0], w[1] != 0)),
    ORCHESTRATION_BEGIN(42, (at, w) -> new LoggedEvent.OrchestrationBegin(at, w[0])),
    ORCHESTRATION_END(43, (at, w) -> new LoggedEvent.OrchestrationEnd(at, w[0], w[1] != 0)),
    TASK(
            44,
            (at, w) -> new LoggedEvent.Task(
                    at, low(w[0]), w[1], w[2], low(w[3]), high(w[3]), low(w[4]), high(w[4]), high(w[0]))),
    EDGE(45, (at, w) -> new LoggedEvent.Edge(at, (int) w[0], (int) w[1], w[2] != 0, w[3] != 0)),
    PUBLISH(46, (at, w) -> new LoggedEvent.Publish(at, (int) w[0])),
    TASK_END(47, (at, w) -> new LoggedEvent.TaskEnd(at, w[0], w[1] != 0)),
    DEFER(48, (at, w) -> new LoggedEvent.Defer(at, w[0], (int) w[1])),
    DEFERRED_COMPLETE(49, (at, w) -> new LoggedEvent.DeferredComplete(at, w[0], (int) w[1])),
    RING(50, (at, w) -> new LoggedEvent.Ring(at, low(w[0]), high(w[0]), w[1], w[2], w[3], w[4])),
    SCOPE_BEGIN(51, (at, w) -> new LoggedEvent.ScopeBegin(at, w[0], w[1], (int) w[2], w[3] != 0)),
    SCOPE_END(52, (at, w) -> new LoggedEvent.ScopeEnd(at, w[0], w[1])),
    MEMORY_COPY(53, (at, w) -> new LoggedEvent.MemoryCopy(at, low(w[0]), high(w[0]) == 1, w[1], w[2])),
    UNRECORDED(54, (at, w) -> new LoggedEvent.Unrecorded(at, w[0], w[1], w[2] != 0)),
    LEFT_OUT(60, (at, w) -> new LoggedEvent.Truncated(at, Step.of(w[0]), w[1], (int) w[2], (int) w[3]));

    /** Makes the event of a kind from its words. */
    private interface Decoder {

        LoggedEvent decode(Moment at, long[] w);
    }

    private static final @Nullable EventKind[] BY_NUMBER = new EventKind[64];

    static {
        for (EventKind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final int number;

    /** Keeps no state. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Decoder decoder;

    EventKind(int number, Decoder decoder) {
        this.number = number;
        this.decoder = decoder;
    }

    int number() {
        return number;
    }

    /** The kind with a number; {@code null} if this version does not know it, and for the kind of texts. */
    static @Nullable EventKind of(int number) {
        return number > 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /**
     * Returns the event, or {@code null} if this version does not know the kind, or a number in it stands for nothing: a
     * rank that writes anywhere may have written into its log.
     */
    static @Nullable LoggedEvent decode(int number, Moment at, long[] words) {
        EventKind kind = of(number);
        try {
            return kind == null ? null : kind.decoder.decode(at, words);
        } catch (IndexOutOfBoundsException e) {
            return null;
        }
    }

    private static int low(long word) {
        return (int) word;
    }

    private static int high(long word) {
        return (int) (word >>> 32);
    }
}
