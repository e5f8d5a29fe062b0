package org.rankunit.collective.verify.memory;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.order.Clock;
import org.rankunit.collective.verify.order.Epoch;
import org.rankunit.collective.verify.order.Streams;

/** The buffers of all ranks, and what tasks do to them. */
@API(status = INTERNAL, since = "0.1")
public final class Memory {

    private static final BufferKind[] KINDS = BufferKind.values();

    private final Schedule schedule;
    private final CollectiveCall call;
    private final Streams streams;
    private final Expressions expressions;
    private final Findings findings;
    private final @Nullable SymbolicBuffer[] buffers;
    /** Those of the communicator that are used. */
    private final Set<BufferKind> cclBuffers;

    private final Pieces pieces = new Pieces();
    private boolean sameEveryRun = true;

    public Memory(Schedule schedule, Streams streams, Expressions expressions, Findings findings) {
        this.schedule = schedule;
        this.call = schedule.call();
        this.streams = streams;
        this.expressions = expressions;
        this.findings = findings;
        this.buffers = new SymbolicBuffer[call.ranks() * KINDS.length];
        this.cclBuffers = cclBuffersOf(schedule.ranks());
    }

    /** The buffers of the communicator that these ranks use. */
    public static Set<BufferKind> cclBuffersOf(List<RankSchedule> ranks) {
        Set<BufferKind> used = EnumSet.noneOf(BufferKind.class);
        for (RankSchedule rank : ranks) {
            for (int task = 0; task < rank.size(); task++) {
                if (rank.kind(task).movesData()) {
                    used.add(rank.fromBuffer(task));
                    used.add(rank.toBuffer(task));
                }
            }
        }
        used.retainAll(EnumSet.of(BufferKind.CCL_IN, BufferKind.CCL_OUT));
        return used;
    }

    public SymbolicBuffer buffer(int rank, BufferKind kind) {
        int at = at(rank, kind);
        SymbolicBuffer known = buffers[at];
        if (known == null) {
            known = new SymbolicBuffer(schedule.bufferBytes(kind, rank), Expressions.UNWRITTEN);
            buffers[at] = known;
        }
        return known;
    }

    private static int at(int rank, BufferKind kind) {
        return rank * KINDS.length + kind.number();
    }

    /** Whether no reduction depended on which of two tasks came first. */
    public boolean sameEveryRun() {
        return sameEveryRun;
    }

    /** The caller of a rank makes its input and its output ready. Another algorithm may have used the buffers of the communicator. */
    public void callerWrites(int rank, long epoch, Clock clock) {
        for (BufferKind kind : cclBuffers) {
            fill(buffer(rank, kind), 0, call.cclBytes(), Expressions.UNWRITTEN, 0, epoch, clock);
        }
        boolean inOutput = call.inPlace() && call.inputLiesInOutput(rank);
        BufferKind outer = inOutput ? BufferKind.OUTPUT : BufferKind.INPUT;
        if (!inOutput) {
            fill(buffer(rank, BufferKind.INPUT), 0, call.inputBytes(rank), expressions.leaf(rank), 0, epoch, clock);
        }
        if (!call.inPlace() || inOutput) {
            fill(buffer(rank, BufferKind.OUTPUT), 0, call.outputBytes(rank), Expressions.UNWRITTEN, 0, epoch, clock);
        }
        if (inOutput) {
            long offset = call.inPlaceOffset(rank);
            fill(buffer(rank, outer), offset, call.inputBytes(rank), expressions.leaf(rank), -offset, epoch, clock);
        }
    }

    /** The call of a rank has ended: its caller may read and write all but the memory of the algorithm. */
    public void callerGoesOn(int rank, long epoch, Clock clock) {
        Set<BufferKind> theirs = EnumSet.of(BufferKind.INPUT, BufferKind.OUTPUT);
        theirs.addAll(cclBuffers);
        for (BufferKind kind : theirs) {
            SymbolicBuffer buffer = buffer(rank, kind);
            for (int part = 0; part < buffer.parts() && buffer.bytes() > 0; part++) {
                checkWrite(buffer, part, epoch, clock);
            }
        }
    }

    private void fill(
            SymbolicBuffer buffer, long from, long bytes, int expression, long shift, long epoch, Clock clock) {
        if (bytes == 0) {
            return;
        }
        int first = buffer.split(from);
        int end = buffer.split(from + bytes, first);
        for (int part = first; part < end; part++) {
            checkWrite(buffer, part, epoch, clock);
        }
        pieces.clear();
        pieces.add(0, expression, shift + from);
        buffer.replace(first, end, pieces, from, epoch);
    }

    /** Run a task that moves data. Where it ends is known to those who have seen the epoch. */
    public void move(RankSchedule rank, int task, long epoch, Clock clock) {
        TaskKind kind = rank.kind(task);
        int self = rank.rank();
        SymbolicBuffer from = buffer(kind.readsThere() ? rank.peer(task) : self, rank.fromBuffer(task));
        SymbolicBuffer to = buffer(kind.writesThere() ? rank.peer(task) : self, rank.toBuffer(task));
        long bytes = rank.bytes(task);
        if (rank.from(task) + bytes > from.bytes() || rank.to(task) + bytes > to.bytes()) {
            findings.add(FindingKind.OUT_OF_BOUNDS, "a task reaches outside its buffer", rank.task(task));
            return;
        }
        if (from == to && overlap(rank.from(task), rank.to(task), bytes, kind.reduces())) {
            findings.add(FindingKind.OVERLAP, "the source and the target of a task overlap", rank.task(task));
            return;
        }
        read(from, rank.from(task), bytes, epoch, clock);
        if (kind.reduces()) {
            reduce(to, rank.to(task), bytes, epoch, clock, kind == TaskKind.PUT_REDUCE);
        } else {
            int first = to.split(rank.to(task));
            int end = to.split(rank.to(task) + bytes, first);
            for (int part = first; part < end; part++) {
                checkWrite(to, part, epoch, clock);
            }
            to.replace(first, end, pieces, rank.to(task), epoch);
        }
    }

    /** A copy of bytes onto themselves changes nothing. */
    private static boolean overlap(long from, long to, long bytes, boolean reduces) {
        return Math.abs(from - to) < bytes && (reduces || from != to);
    }

    private void read(SymbolicBuffer from, long start, long bytes, long epoch, Clock clock) {
        int first = from.split(start);
        int end = from.split(start + bytes, first);
        pieces.clear();
        for (int part = first; part < end; part++) {
            checkRead(from, part, epoch, clock);
            from.addReader(part, epoch, clock);
            pieces.add(from.start(part) - start, from.expression(part), from.shift(part) + start);
        }
    }

    private void checkRead(SymbolicBuffer buffer, int part, long epoch, Clock clock) {
        check(buffer, part, buffer.writer(part), epoch, clock, "reads what", "writes");
        checkAll(buffer, part, buffer.reducers(part), epoch, clock, "reads what", "writes");
        if (buffer.expression(part) == Expressions.UNWRITTEN) {
            Task reader = streams.task(epoch);
            if (reader != null) {
                findings.addOnce(
                        FindingKind.UNWRITTEN_READ, bytes(buffer, part) + " were never written", reader, reader);
            }
        }
    }

    private void checkWrite(SymbolicBuffer buffer, int part, long epoch, Clock clock) {
        checkReduction(buffer, part, epoch, clock);
        checkAll(buffer, part, buffer.reducers(part), epoch, clock, "writes what", "writes");
    }

    /** A reduction of each element at once may meet others of its kind. */
    private void checkReduction(SymbolicBuffer buffer, int part, long epoch, Clock clock) {
        check(buffer, part, buffer.writer(part), epoch, clock, "writes what", "writes");
        check(buffer, part, buffer.reader(part), epoch, clock, "writes what", "reads");
        checkAll(buffer, part, buffer.moreReaders(part), epoch, clock, "writes what", "reads");
    }

    private void checkAll(
            SymbolicBuffer buffer,
            int part,
            long @Nullable [] others,
            long epoch,
            Clock clock,
            String does,
            String otherDoes) {
        if (others != null) {
            for (long other : others) {
                check(buffer, part, other, epoch, clock, does, otherDoes);
            }
        }
    }

    private void check(
            SymbolicBuffer buffer, int part, long other, long epoch, Clock clock, String does, String otherDoes) {
        if (clock.hasSeen(other) || other == epoch) {
            return;
        }
        Task one = streams.task(other);
        Task second = streams.task(epoch);
        String what = bytes(buffer, part) + ": one task " + does + " another " + otherDoes + ", and nothing orders them"
                + missing(one, second);
        if (one != null && second != null) {
            findings.addOnce(FindingKind.RACE, what, one, second);
        } else if (one != null) {
            findings.addOnce(
                    FindingKind.RACE,
                    bytes(buffer, part) + " belong to " + (isCcl(buffer) ? "the next call" : "the caller again")
                            + " while another rank " + otherDoes + " them: rank " + streams.rank(Epoch.stream(epoch))
                            + " does not wait for it",
                    one,
                    one);
        } else if (second != null) {
            int owner = streams.rank(Epoch.stream(other));
            findings.addOnce(
                    FindingKind.RACE,
                    bytes(buffer, part) + " are used before the caller of rank " + owner + " has made them ready: "
                            + (second.rank() == owner
                                    ? "no notify leads from the main stream to " + Task.streamName(second.stream())
                                    : "no Ack of that rank is awaited"),
                    second,
                    second);
        }
    }

    private static String missing(@Nullable Task one, @Nullable Task second) {
        if (one == null || second == null) {
            return "";
        }
        return one.rank() == second.rank()
                ? ": no notify leads from " + Task.streamName(one.stream()) + " to " + Task.streamName(second.stream())
                        + " of rank " + one.rank()
                : ": no notify leads from rank " + one.rank() + " to rank " + second.rank() + " between them";
    }

    private String bytes(SymbolicBuffer buffer, int part) {
        int at = indexOf(buffer);
        return KINDS[at % KINDS.length] + "[" + buffer.start(part) + ", " + buffer.end(part) + ") of rank "
                + at / KINDS.length;
    }

    private boolean isCcl(SymbolicBuffer buffer) {
        return cclBuffers.contains(KINDS[indexOf(buffer) % KINDS.length]);
    }

    private int indexOf(SymbolicBuffer buffer) {
        for (int at = 0; at < buffers.length; at++) {
            if (buffers[at] == buffer) {
                return at;
            }
        }
        throw new IllegalArgumentException("a buffer of another memory");
    }

    private void reduce(SymbolicBuffer to, long start, long bytes, long epoch, Clock clock, boolean atOnce) {
        int begin = to.split(start);
        to.split(start + bytes, begin);
        for (int piece = 0; piece < pieces.size(); piece++) {
            long from = start + pieces.offset(piece);
            long end = piece + 1 < pieces.size() ? start + pieces.offset(piece + 1) : start + bytes;
            int first = piece == 0 ? begin : to.split(from);
            int last = to.split(end, first);
            for (int part = first; part < last; part++) {
                long shift = pieces.shift(piece) - start;
                reduce(to, part, pieces.expression(piece), shift, epoch, clock, atOnce);
            }
        }
    }

    private void reduce(
            SymbolicBuffer to, int part, int expression, long shift, long epoch, Clock clock, boolean atOnce) {
        int before = to.expression(part);
        if (before == Expressions.UNWRITTEN) {
            Task task = streams.task(epoch);
            if (task != null) {
                findings.addOnce(
                        FindingKind.UNWRITTEN_READ,
                        bytes(to, part) + " are reduced and were never written",
                        task,
                        task);
            }
        }
        int after = before == Expressions.UNWRITTEN || expression == Expressions.UNWRITTEN
                ? Expressions.UNWRITTEN
                : expressions.reduced(before, expression, shift - to.shift(part));
        if (atOnce) {
            checkReduction(to, part, epoch, clock);
            sameEveryRun &= hasSeenAll(clock, to.reducers(part));
            to.reduceAtOnce(part, after, to.shift(part), epoch, clock);
        } else {
            checkWrite(to, part, epoch, clock);
            to.write(part, after, to.shift(part), epoch);
        }
    }

    private static boolean hasSeenAll(Clock clock, long @Nullable [] epochs) {
        for (int i = 0; epochs != null && i < epochs.length; i++) {
            if (!clock.hasSeen(epochs[i])) {
                return false;
            }
        }
        return true;
    }
}
