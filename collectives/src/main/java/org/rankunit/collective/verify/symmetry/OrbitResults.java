package org.rankunit.collective.verify.symmetry;

import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.memory.SymbolicBuffer;

/** Compares what rank 0 holds with what the collective demands; what is demanded of other ranks is the same, shifted. */
final class OrbitResults {

    private final CollectiveCall call;
    private final Layout layout;
    private final OrbitMemory memory;
    private final OrbitExpressions expressions;
    private final Doubts doubts;

    OrbitResults(Layout layout, OrbitMemory memory, OrbitExpressions expressions, Doubts doubts) {
        this.call = layout.call();
        this.layout = layout;
        this.memory = memory;
        this.expressions = expressions;
        this.doubts = doubts;
    }

    void check() {
        for (Demand demand : call.demands(0)) {
            check(demand);
        }
        if (!call.inPlace()) {
            checkInput();
        }
        if (call.collective() == Collective.ALL_REDUCE && !partsAreShiftsOfEachOther()) {
            // They may still have the same bits, since operands can be exchanged.
            doubts.add(FindingKind.WRONG_RESULT);
        }
    }

    private BufferKind outputKind() {
        return call.inPlace() && !call.inputLiesInOutput(0) ? BufferKind.INPUT : BufferKind.OUTPUT;
    }

    private void check(Demand demand) {
        boolean inInput = outputKind() == BufferKind.INPUT;
        SymbolicBuffer output = memory.buffer(outputKind());
        long from = (inInput ? call.inPlaceOffset(0) : 0) + demand.output().from();
        long end = from + demand.output().bytes();
        for (int part = output.partAt(from); part < output.parts() && output.start(part) < end; part++) {
            int expression = output.expression(part);
            boolean holds = demand.source() == Demand.ALL
                    ? expressions.isAllOnce(expression)
                    : expression == expressions.leaf(demand.source());
            if (!holds || output.shift(part) != demand.inputFrom() - from) {
                doubts.add(FindingKind.WRONG_RESULT);
                return;
            }
        }
    }

    private void checkInput() {
        SymbolicBuffer input = memory.buffer(BufferKind.INPUT);
        for (int part = 0; part < input.parts() && input.bytes() > 0; part++) {
            if (input.expression(part) != expressions.leaf(0) || input.shift(part) != 0) {
                doubts.add(FindingKind.INPUT_CHANGED);
                return;
            }
        }
    }

    boolean sameOnAllRanks() {
        return switch (call.collective()) {
            case ALL_REDUCE, ALL_GATHER, BARRIER -> true;
            default -> false;
        };
    }

    /** Rank r holds in its part r what rank 0 holds in part 0, shifted by r; so this must be what rank 0 holds in part r. */
    private boolean partsAreShiftsOfEachOther() {
        SymbolicBuffer output = memory.buffer(outputKind());
        long bytes = layout.partBytes(outputKind());
        if (bytes == 0) {
            return true;
        }
        int inFirst = output.partAt(bytes - 1) + 1;
        for (int part = 0; part < output.parts(); part++) {
            long offset = output.start(part) % bytes;
            int first = part % inFirst;
            int number = (int) (output.start(part) / bytes);
            boolean sameCut = output.parts() == inFirst * layout.shifts().ranks() && output.start(first) == offset;
            if (!sameCut || output.expression(part) != expressions.shifted(output.expression(first), number)) {
                return false;
            }
        }
        return true;
    }
}
