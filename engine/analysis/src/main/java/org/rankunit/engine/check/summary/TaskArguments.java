package org.rankunit.engine.check.summary;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.bytes.ByteRanges;
import org.rankunit.engine.check.bytes.Pieces;
import org.rankunit.engine.check.bytes.Pieces.Bytes;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.TestRecord;

/**
 * The arguments of the tasks of a run, each once, in the order in which they were submitted. Takes memory for those that differ.
 */
final class TaskArguments {

    private static final int AT_USE = 1;
    private static final int AT_VALUE = 2;
    private static final int AT_BYTES = 3;

    private static final Space ANY = new Space.Device(0);

    private final TestRecord record;
    private final ByteRanges allocated;
    private final Room room;

    private final Set<Tensor> seen = new HashSet<>();
    private final Set<Long> scalars = new HashSet<>();
    private final List<LoggedEvent.Argument> all = new ArrayList<>();
    private final List<LoggedEvent.Argument> readFirst = new ArrayList<>();
    private final ByteRanges written = new ByteRanges();

    private int task;
    private boolean hasTensor;
    private boolean isMissing;
    private boolean isUnknown;

    /** Those that the current task reads, and no task has read before. */
    private final List<LoggedEvent.Argument> reads = new ArrayList<>();

    private record Tensor(long address, long bytes, Use use) {}

    /**
     * None yet.
     *
     * @param allocated what the test has allocated so far; grows
     * @param room for those that are kept
     */
    TaskArguments(TestRecord record, ByteRanges allocated, Room room) {
        this.record = record;
        this.allocated = allocated;
        this.room = room;
    }

    void beginTask(int actor) {
        task = actor;
        hasTensor = false;
    }

    /** Add an argument of the task that was begun last. */
    void add(int actor, long index) {
        Use use = Use.orNull(record.word(index, AT_USE));
        long value = record.word(index, AT_VALUE);
        long bytes = record.word(index, AT_BYTES);
        if (use == Use.SCALAR) {
            addScalar(value, index);
            return;
        }
        hasTensor = true;
        // Each has its bytes, and none reaches beyond the end of all addresses.
        isUnknown |= actor != task || use == Use.UNKNOWN || bytes <= 0 || value + bytes < value;
        if (use == null) {
            isUnknown = true;
        } else if (!isUnknown && seen.add(new Tensor(value, bytes, use))) {
            addTensor(index);
        }
    }

    /** One that may be an address tells that a kernel may write there. */
    private void addScalar(long value, long index) {
        if (allocated.has(ANY, new Bytes(value, value + 1)) && scalars.add(value)) {
            keep(index);
        }
    }

    private void addTensor(long index) {
        LoggedEvent.Argument argument = keep(index);
        if (argument == null) {
            return;
        }
        if (argument.use() == Use.READ) {
            reads.add(argument);
        } else {
            written.add(ANY, argument.value(), argument.value() + argument.bytes());
        }
    }

    private LoggedEvent.@Nullable Argument keep(long index) {
        if (!isUnknown && room.take() && record.event(index) instanceof LoggedEvent.Argument argument) {
            all.add(argument);
            return argument;
        }
        isUnknown = true;
        return null;
    }

    /** All arguments of a task are known. What it writes itself is not read before. */
    void endTask() {
        isMissing |= task != 0 && !hasTensor;
        for (LoggedEvent.Argument read : reads) {
            long end = read.value() + read.bytes();
            Bytes missing = written.firstMissing(ANY, Pieces.one(read.value(), read.bytes()));
            while (missing != null && !isUnknown) {
                readFirst.add(new LoggedEvent.Argument(
                        read.at(), read.index(), Use.READ, missing.begin(), missing.end() - missing.begin(), 0));
                isUnknown |= !room.take();
                missing = missing.end() == end
                        ? null
                        : written.firstMissing(ANY, Pieces.one(missing.end(), end - missing.end()));
            }
        }
        reads.clear();
        task = 0;
    }

    /** Keep none any more. */
    void forget() {
        room.giveBack(count());
        isUnknown = true;
        seen.clear();
        scalars.clear();
        all.clear();
        readFirst.clear();
        reads.clear();
    }

    long count() {
        return (long) all.size() + readFirst.size();
    }

    boolean areKnown() {
        return !isUnknown;
    }

    /** Whether a task has no tensors, so it is unknown what it uses. */
    boolean areMissingInATask() {
        return isMissing;
    }

    /** Those that differ, each as it was used for the first time. */
    List<LoggedEvent.Argument> all() {
        return all;
    }

    /** The bytes that a task has read before another one wrote them, if one did. */
    List<LoggedEvent.Argument> readFirst() {
        return readFirst;
    }
}
