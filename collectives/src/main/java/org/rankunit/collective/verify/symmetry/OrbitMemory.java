package org.rankunit.collective.verify.symmetry;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.memory.Expressions;
import org.rankunit.collective.verify.memory.Memory;
import org.rankunit.collective.verify.memory.Pieces;
import org.rankunit.collective.verify.memory.SymbolicBuffer;
import org.rankunit.collective.verify.order.Knowledge;

/**
 * The buffers of rank 0. When rank 0 accesses those of another rank, then some rank accesses those of rank 0 in the same way at the same
 * time: that access is made here. Bytes of different parts are in different parts of the buffers, so that they can be shifted.
 */
final class OrbitMemory {

    private final CollectiveCall call;
    private final Shifts shifts;
    private final Layout layout;
    private final OrbitExpressions expressions;
    private final Doubts doubts;
    private final Map<BufferKind, SymbolicBuffer> buffers = new EnumMap<>(BufferKind.class);
    /** Those of the communicator that are used. */
    private final Set<BufferKind> cclBuffers;

    private final Pieces read = new Pieces();
    private final Pieces turned = new Pieces();

    OrbitMemory(Layout layout, RankSchedule rank, OrbitExpressions expressions, Doubts doubts) {
        this.cclBuffers = Memory.cclBuffersOf(List.of(rank));
        this.call = layout.call();
        this.shifts = layout.shifts();
        this.layout = layout;
        this.expressions = expressions;
        this.doubts = doubts;
    }

    SymbolicBuffer buffer(BufferKind kind) {
        return buffers.computeIfAbsent(
                kind, key -> SymbolicBuffer.inParts(layout.bytes(key), layout.partBytes(key), Expressions.UNWRITTEN));
    }

    /** The caller makes the input and the output ready. Another algorithm may have used the buffers of the communicator. */
    void callerWrites(long epoch, Knowledge known) {
        for (BufferKind kind : cclBuffers) {
            fill(kind, 0, layout.bytes(kind), Expressions.UNWRITTEN, 0, epoch, known);
        }
        boolean inOutput = call.inPlace() && call.inputLiesInOutput(0);
        BufferKind home = inOutput ? BufferKind.OUTPUT : BufferKind.INPUT;
        long offset = inOutput ? call.inPlaceOffset(0) : 0;
        if (!call.inPlace() || inOutput) {
            fill(BufferKind.OUTPUT, 0, call.outputBytes(0), Expressions.UNWRITTEN, 0, epoch, known);
        }
        fill(home, offset, call.inputBytes(0), expressions.leaf(0), -offset, epoch, known);
    }

    /** The call has ended: the caller may read and write all but the memory of the algorithm. */
    void callerGoesOn(long epoch, Knowledge known) {
        Set<BufferKind> theirs = EnumSet.of(BufferKind.INPUT, BufferKind.OUTPUT);
        theirs.addAll(cclBuffers);
        for (BufferKind kind : theirs) {
            SymbolicBuffer buffer = buffer(kind);
            for (int part = 0; part < buffer.parts() && buffer.bytes() > 0; part++) {
                checkWrite(buffer, part, epoch, known);
            }
        }
    }

    private void fill(
            BufferKind kind, long start, long bytes, int expression, long shift, long epoch, Knowledge known) {
        long end = start + bytes;
        for (long from = start; from < end; ) {
            long part = Math.min(end - from, layout.leftOfPart(kind, from));
            turned.clear();
            turned.append(0, expression, shift + from);
            write(buffer(kind), from, part, epoch, known);
            from += part;
        }
    }

    /**
     * Run a task that moves data.
     *
     * @param known at that time, which is what others know when it is shifted
     */
    void move(RankSchedule rank, int task, int lane, int time, OrbitClock known) {
        TaskKind kind = rank.kind(task);
        long bytes = rank.bytes(task);
        BufferKind from = rank.fromBuffer(task);
        BufferKind to = rank.toBuffer(task);
        if (rank.from(task) + bytes > layout.bytes(from) || rank.to(task) + bytes > layout.bytes(to)) {
            doubts.add(FindingKind.OUT_OF_BOUNDS);
            return;
        }
        if (!kind.isTransfer() && from == to && overlap(rank.from(task), rank.to(task), bytes)) {
            doubts.add(FindingKind.OVERLAP);
            return;
        }
        int other = kind.isTransfer() ? shifts.inverse(rank.peer(task)) : 0;
        int reader = kind.readsThere() ? other : 0;
        int writer = kind.writesThere() ? other : 0;
        Knowledge ofReader = known.of(reader);
        Knowledge ofWriter = known.of(writer);
        for (long done = 0; done < bytes; ) {
            long source = rank.from(task) + done;
            long target = rank.to(task) + done;
            long part =
                    Math.min(bytes - done, Math.min(layout.leftOfPart(from, source), layout.leftOfPart(to, target)));
            read(buffer(from), layout.moved(from, source, reader), part, known.epoch(reader, lane, time), ofReader);
            turn(shifts.back(writer, reader));
            long epoch = known.epoch(writer, lane, time);
            if (kind.reduces()) {
                reduce(buffer(to), layout.moved(to, target, writer), part, epoch, ofWriter);
            } else {
                write(buffer(to), layout.moved(to, target, writer), part, epoch, ofWriter);
            }
            done += part;
        }
    }

    private static boolean overlap(long one, long other, long bytes) {
        return one != other && Math.abs(one - other) < bytes;
    }

    private void read(SymbolicBuffer from, long start, long bytes, long epoch, Knowledge known) {
        int first = from.split(start);
        int end = from.split(start + bytes, first);
        read.clear();
        for (int part = first; part < end; part++) {
            require(known.hasSeen(from.writer(part)), FindingKind.RACE);
            require(from.expression(part) != Expressions.UNWRITTEN, FindingKind.UNWRITTEN_READ);
            from.addReader(part, epoch, known);
            read.append(from.start(part) - start, from.expression(part), from.shift(part) + start);
        }
    }

    /** What one rank has read, as another one would have. */
    private void turn(int by) {
        turned.clear();
        for (int piece = 0; piece < read.size(); piece++) {
            long offset = read.offset(piece);
            long position = layout.moved(BufferKind.INPUT, offset + read.shift(piece), by);
            turned.append(offset, expressions.shifted(read.expression(piece), by), position - offset);
        }
    }

    private void write(SymbolicBuffer to, long start, long bytes, long epoch, Knowledge known) {
        int first = to.split(start);
        int end = to.split(start + bytes, first);
        for (int part = first; part < end; part++) {
            checkWrite(to, part, epoch, known);
        }
        to.replace(first, end, turned, start, epoch);
    }

    private void reduce(SymbolicBuffer to, long start, long bytes, long epoch, Knowledge known) {
        for (int piece = 0; piece < turned.size(); piece++) {
            long from = start + turned.offset(piece);
            long end = start + (piece + 1 < turned.size() ? turned.offset(piece + 1) : bytes);
            int first = to.split(from);
            int last = to.split(end, first);
            for (int part = first; part < last; part++) {
                checkWrite(to, part, epoch, known);
                int before = to.expression(part);
                int operand = turned.expression(piece);
                boolean written = before != Expressions.UNWRITTEN && operand != Expressions.UNWRITTEN;
                require(written, FindingKind.UNWRITTEN_READ);
                require(turned.shift(piece) - start == to.shift(part), FindingKind.WRONG_RESULT);
                int after = written ? expressions.reduced(before, operand) : Expressions.UNWRITTEN;
                to.write(part, after, to.shift(part), epoch);
            }
        }
    }

    private void checkWrite(SymbolicBuffer to, int part, long epoch, Knowledge known) {
        require(isBefore(to.writer(part), epoch, known), FindingKind.RACE);
        require(isBefore(to.reader(part), epoch, known), FindingKind.RACE);
        long[] more = to.moreReaders(part);
        if (more != null) {
            for (long reader : more) {
                require(isBefore(reader, epoch, known), FindingKind.RACE);
            }
        }
    }

    private static boolean isBefore(long other, long epoch, Knowledge known) {
        return other == epoch || known.hasSeen(other);
    }

    private void require(boolean holds, FindingKind otherwise) {
        if (!holds) {
            doubts.add(otherwise);
        }
    }
}
