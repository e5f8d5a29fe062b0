package org.rankunit.engine.timeline;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One event of a rank's log. {@code native-comm/src/main/cpp/record/format.h} says what each kind means and how they are
 * connected. A {@code text} is a number for {@link EventLogFile#text}, and so is a {@code place} in the program: 0 if it is
 * not known.
 */
public sealed interface LoggedEvent {

    /** When it happened, who did it, and where it is in the log. */
    Moment at();

    /**
     * When and where something happened.
     *
     * @param index in the log
     * @param beginNanos as {@link System#nanoTime()} counts on Linux; equal to {@code endNanos} if it has no duration
     * @param actor who did it; 0 is the host: the thread that runs the tests, and what is not known better
     */
    record Moment(long index, long beginNanos, long endNanos, int actor) {}

    /** From where and to where bytes were copied. */
    enum Way {
        ZERO,
        IN,
        OUT,
        ACROSS,

        /** Added to the elements of the target, each atomically. */
        ADD;

        private static final List<Way> BY_NUMBER = List.of(values());

        static Way of(long number) {
            return BY_NUMBER.get((int) number);
        }
    }

    /** What a stream does. */
    enum WorkKind {
        LAUNCH,
        COPY,
        EVENT_RECORD,
        EVENT_WAIT,
        NOTIFY_POST,
        NOTIFY_WAIT,
        SIGNAL,
        WAIT,
        GRAPH;

        private static final List<WorkKind> BY_NUMBER = List.of(values());

        static WorkKind of(long number) {
            return BY_NUMBER.get((int) number - 1);
        }
    }

    /** A step that can be left out. */
    enum Step {
        EDGE,
        TASK_WAIT,
        PUBLISH,
        EVENT_WAIT,
        NOTIFY_POST,
        NOTIFY_WAIT,
        SIGNAL,
        CELL_WAIT,
        SYNCHRONIZE,
        TENSOR;

        private static final List<Step> BY_NUMBER = List.of(values());

        static Step of(long number) {
            return BY_NUMBER.get((int) number - 1);
        }

        /** Returns its name as {@code rankunit.sim.mutate} has it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** What looked at a cell: a wait, a test, or the waits or the predicate of the task that is the actor. */
    enum Look {
        WAIT,
        TEST,
        TASK,
        PREDICATE;

        private static final List<Look> BY_NUMBER = List.of(values());

        static Look of(long number) {
            return BY_NUMBER.get((int) number);
        }

        /** Whether it looks until what it wants is there. */
        public boolean waits() {
            return this == WAIT || this == TASK;
        }
    }

    /** How a kernel uses an argument. */
    enum Use {
        SCALAR,
        READ,
        WRITTEN,
        READ_AND_WRITTEN,
        UNKNOWN;

        private static final List<Use> BY_NUMBER = List.of(values());

        /** The use with a number; {@code null} if it stands for nothing. */
        public static @Nullable Use orNull(long number) {
            return number < 0 || number >= BY_NUMBER.size() ? null : of(number);
        }

        static Use of(long number) {
            return BY_NUMBER.get((int) number);
        }
    }

    /** A test begins or ends. */
    record Mark(Moment at, boolean begin, int text) implements LoggedEvent {}

    /** What an actor is that is introduced. */
    enum ActorKind {
        STREAM,
        ORCHESTRATION,
        TRANSFER,
        THREAD;

        private static final List<ActorKind> BY_NUMBER = List.of(values());

        /** The kind with a number; {@code null} if it stands for nothing. */
        public static @Nullable ActorKind orNull(long number) {
            return number < 1 || number > BY_NUMBER.size() ? null : of(number);
        }

        static ActorKind of(long number) {
            return BY_NUMBER.get((int) number - 1);
        }
    }

    /**
     * Introduces the actor of the moment.
     *
     * @param number of the stream, of the run of the orchestration function, or the actor of the block whose transfer it is; without
     *     a meaning for a thread
     */
    record Actor(Moment at, ActorKind kind, long number, int text) implements LoggedEvent {

        public boolean stream() {
            return kind == ActorKind.STREAM;
        }
    }

    /** A thread knows what another had done until a time. */
    record Acquire(Moment at, int from, long untilNanos) implements LoggedEvent {}

    /** How threads order themselves cannot be seen. */
    record OrderIsUnknown(Moment at, int text) implements LoggedEvent {}

    /** Memory of the device was allocated. */
    record Allocate(Moment at, long address, long bytes, int place) implements LoggedEvent {}

    /** Memory of the device was freed. */
    record Free(Moment at, long address, int place) implements LoggedEvent {}

    /** Bytes were copied or zeroed. */
    record Copy(Moment at, Way way, long target, long source, long bytes, int place) implements LoggedEvent {}

    /**
     * Code accessed bytes through pointers.
     *
     * @param bytes of each piece
     * @param pieces how many there are
     * @param distance between the begins of pieces; 0 if there is one
     * @param place one of the code: {@code library+0xoffset}
     */
    record PointerAccess(Moment at, long address, long bytes, long pieces, long distance, boolean write, int place)
            implements LoggedEvent {}

    /** Code changed bytes through pointers by atomic operations. The pieces are as those of {@link PointerAccess}. */
    record AtomicChange(Moment at, long address, long bytes, long pieces, long distance) implements LoggedEvent {}

    /** The window of one rank, as this rank maps it; domain 0 is the whole communicator. */
    record Window(Moment at, long communicator, long domain, int ofRank, int place, long address, long bytes)
            implements LoggedEvent {}

    /** The windows of a domain are freed. */
    record WindowsFreed(Moment at, long communicator, long domain) implements LoggedEvent {}

    /** A buffer that the test declares. */
    record Named(Moment at, long address, long bytes, int text) implements LoggedEvent {}

    /** The host has entered a barrier. */
    record BarrierBegin(Moment at, long communicator, long domain, long number) implements LoggedEvent {}

    /** The host has left a barrier. */
    record BarrierEnd(Moment at, long communicator, long domain, long number) implements LoggedEvent {}

    /** Work was put on a stream. */
    record Enqueue(Moment at, long work, WorkKind kind, int stream, int text, int place) implements LoggedEvent {}

    /** A piece of work begins. */
    record WorkBegin(Moment at, long work, WorkKind kind, int text, int place) implements LoggedEvent {}

    /** A piece of work has ended. */
    record WorkEnd(Moment at, long work, WorkKind kind, int text, boolean failed) implements LoggedEvent {}

    /** The host has seen that a stream has done all work up to this one. */
    record StreamSync(Moment at, int stream, long work) implements LoggedEvent {}

    /** A stream has reached the point of an event. */
    record EventRecord(Moment at, long point) implements LoggedEvent {}

    /** The point of an event was waited for. */
    record EventWait(Moment at, long point) implements LoggedEvent {}

    /** A notify was posted. */
    record NotifyPost(Moment at, long token, long sequence, long replaced) implements LoggedEvent {}

    /** A post of a notify was taken. */
    record NotifyWait(Moment at, long token, long sequence) implements LoggedEvent {}

    /** A notify was destroyed by its owner. */
    record NotifyGone(Moment at, long token) implements LoggedEvent {}

    /** A cell was signalled. */
    record Signal(Moment at, long cell, boolean add, int value, long order, int found, int place)
            implements LoggedEvent {}

    /** A cell was seen to satisfy a wait or a test. */
    record Wait(Moment at, long cell, int compare, int value, long order, int found, Look look)
            implements LoggedEvent {}

    /**
     * A block of a kernel begins, as the actor of the moment.
     *
     * @param tells whether its kernel tells its accesses through pointers
     */
    record BlockBegin(
            Moment at,
            int parent,
            int kernel,
            long work,
            int block,
            int blocks,
            int core,
            boolean cube,
            int subBlock,
            boolean tells)
            implements LoggedEvent {}

    /** A block has ended. */
    record BlockEnd(Moment at, boolean failed) implements LoggedEvent {}

    /** One argument of a work, or of the task that is the actor. */
    record Argument(Moment at, int index, Use use, long value, long bytes, long work) implements LoggedEvent {}

    /** The run of a graph begins. */
    record GraphBegin(Moment at, long run, int text, int what) implements LoggedEvent {}

    /** The run of a graph has ended. */
    record GraphEnd(Moment at, long run, boolean failed) implements LoggedEvent {}

    /** An orchestration function begins. */
    record OrchestrationBegin(Moment at, long run) implements LoggedEvent {}

    /** An orchestration function has returned. */
    record OrchestrationEnd(Moment at, long run, boolean failed) implements LoggedEvent {}

    /** A task of a run was made. */
    record Task(Moment at, int task, long run, long id, int kernel, int text, int blocks, int cores, int place)
            implements LoggedEvent {}

    /** A task depends on another. */
    record Edge(Moment at, int before, int after, boolean derived, boolean completed) implements LoggedEvent {}

    /** A task was published. */
    record Publish(Moment at, int task) implements LoggedEvent {}

    /** The task that is the actor has completed. */
    record TaskEnd(Moment at, long run, boolean skipped) implements LoggedEvent {}

    /** A block has put off the completion of its task. */
    record Defer(Moment at, long token, int task) implements LoggedEvent {}

    /** A completion that was put off has been made. */
    record DeferredComplete(Moment at, long token, int task) implements LoggedEvent {}

    /** How full a ring is after a submission. */
    record Ring(Moment at, int run, int ring, long slotsInUse, long slots, long heapInUse, long heapBytes)
            implements LoggedEvent {}

    /** A scope of an orchestration begins. */
    record ScopeBegin(Moment at, long run, long scope, int text, boolean manual) implements LoggedEvent {}

    /** A scope of an orchestration has ended. */
    record ScopeEnd(Moment at, long run, long scope) implements LoggedEvent {}

    /** The memory of an argument of the task that is the actor was copied, at an offset of a file of the test. */
    record MemoryCopy(Moment at, int argument, boolean after, long offset, long bytes) implements LoggedEvent {

        /** The offset if there is no copy. */
        static final long NONE = -1;

        public boolean exists() {
            return offset != NONE;
        }
    }

    /**
     * So many tasks of a run were not recorded.
     *
     * @param seen whether others may have seen more of the run than what it reads and writes
     */
    record Unrecorded(Moment at, long run, long tasks, boolean seen) implements LoggedEvent {}

    /** A step of the program was left out on purpose. */
    record Truncated(Moment at, Step step, long number, int task, int argument) implements LoggedEvent {}
}
