package org.rankunit.collective.verify;

import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.memory.Expressions;
import org.rankunit.collective.verify.memory.Memory;
import org.rankunit.collective.verify.memory.SymbolicBuffer;

/** Compares what outputs hold with what the collective demands. */
final class ResultCheck {

    private final CollectiveCall call;
    private final Memory memory;
    private final Expressions expressions;
    private final Findings findings;
    private boolean inRankOrder = true;

    ResultCheck(CollectiveCall call, Memory memory, Expressions expressions, Findings findings) {
        this.call = call;
        this.memory = memory;
        this.expressions = expressions;
        this.findings = findings;
    }

    void run() {
        for (int rank = 0; rank < call.ranks(); rank++) {
            for (Demand demand : call.demands(rank)) {
                check(rank, demand);
            }
            if (!call.inPlace()) {
                checkInput(rank);
            }
        }
    }

    private SymbolicBuffer output(int rank) {
        boolean inInput = call.inPlace() && !call.inputLiesInOutput(rank);
        return memory.buffer(rank, inInput ? BufferKind.INPUT : BufferKind.OUTPUT);
    }

    /** Where the output begins in its buffer. */
    private long outputFrom(int rank) {
        return call.inPlace() && !call.inputLiesInOutput(rank) ? call.inPlaceOffset(rank) : 0;
    }

    private void check(int rank, Demand demand) {
        SymbolicBuffer output = output(rank);
        long from = outputFrom(rank) + demand.output().from();
        long shift = demand.inputFrom() - from;
        long end = from + demand.output().bytes();
        for (int part = output.partAt(from); part < output.parts() && output.start(part) < end; part++) {
            int expression = output.expression(part);
            if (!holds(expression, demand.source()) || output.shift(part) != shift) {
                tell(rank, output, part, demand, shift);
            } else if (demand.source() == Demand.ALL) {
                inRankOrder &= expressions.isInRankOrder(expression);
            }
        }
    }

    private boolean holds(int expression, int source) {
        return source == Demand.ALL ? expressions.isAllOnce(expression) : expression == expressions.leaf(source);
    }

    private void tell(int rank, SymbolicBuffer output, int part, Demand demand, long shift) {
        long from = outputFrom(rank);
        int expression = output.expression(part);
        long begin = Math.max(output.start(part) - from, demand.output().from());
        long end = Math.min(output.end(part) - from, demand.output().end());
        String where = "output[" + begin + ", " + end + ") of rank " + rank;
        String wanted = demand.source() == Demand.ALL
                ? "the inputs of all " + call.ranks() + " ranks"
                : "the input of rank " + demand.source();
        String text = where + " must hold " + wanted + " and holds " + expressions.describe(expression);
        if (holds(expression, demand.source())) {
            text = where + " holds " + wanted + ", but " + Math.abs(output.shift(part) - shift) + " bytes too "
                    + (output.shift(part) > shift ? "far on" : "far back");
        }
        findings.add(FindingKind.WRONG_RESULT, text);
    }

    private void checkInput(int rank) {
        SymbolicBuffer input = memory.buffer(rank, BufferKind.INPUT);
        for (int part = 0; part < input.parts() && input.bytes() > 0; part++) {
            if (input.expression(part) != expressions.leaf(rank) || input.shift(part) != 0) {
                findings.add(
                        FindingKind.INPUT_CHANGED,
                        "input[" + input.start(part) + ", " + input.end(part) + ") of rank " + rank + " holds "
                                + expressions.describe(input.expression(part)));
            }
        }
    }

    /** Whether the operation is applied in the order of the ranks everywhere. */
    boolean inRankOrder() {
        return inRankOrder;
    }

    /** Whether all ranks hold the same bits, of collectives where they hold the same elements. */
    boolean sameOnAllRanks() {
        return switch (call.collective()) {
            case ALL_REDUCE -> allEqualFirst();
            case ALL_GATHER, BROADCAST, BARRIER -> true;
            default -> false;
        };
    }

    private boolean allEqualFirst() {
        SymbolicBuffer first = output(0);
        for (int rank = 1; rank < call.ranks(); rank++) {
            if (!equal(first, output(rank))) {
                return false;
            }
        }
        return true;
    }

    private boolean equal(SymbolicBuffer one, SymbolicBuffer other) {
        int a = 0;
        int b = 0;
        while (a < one.parts() && b < other.parts()) {
            if (!expressions.sameBits(one.expression(a), other.expression(b))) {
                return false;
            }
            long end = Math.min(one.end(a), other.end(b));
            a += one.end(a) == end ? 1 : 0;
            b += other.end(b) == end ? 1 : 0;
        }
        return true;
    }
}
