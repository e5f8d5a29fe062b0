package org.rankunit.collective.picture;

import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;
import org.rankunit.collective.verify.memory.Expressions;
import org.rankunit.collective.verify.memory.SymbolicBuffer;

/** Says in short what bytes hold: whose inputs. */
final class Holdings {

    private static final int LEVELS = 8;
    private static final int LONGEST = 9;
    private static final Cell NOTHING = new Cell("", "nothing that was written", "none");

    private final CollectiveCall call;
    private final Expressions expressions;

    Holdings(CollectiveCall call, Expressions expressions) {
        this.call = call;
        this.expressions = expressions;
    }

    /** What a chunk of a buffer holds. */
    Cell of(SymbolicBuffer buffer, Chunks.Chunk chunk) {
        int part = buffer.partAt(chunk.from());
        Cell first = of(buffer, part, chunk.from());
        while (buffer.end(part) < chunk.end() && part + 1 < buffer.parts()) {
            part++;
            Cell next = of(buffer, part, buffer.start(part));
            if (!next.equals(first)) {
                String text = first.text() + "; from byte " + buffer.start(part) + " on " + next.text();
                return new Cell("mixed", text, "l1");
            }
        }
        return first;
    }

    private Cell of(SymbolicBuffer buffer, int part, long position) {
        int expression = buffer.expression(part);
        if (expression == Expressions.UNWRITTEN) {
            return NOTHING;
        }
        int[] times = expressions.times(expression);
        int distinct = 0;
        int source = 0;
        boolean repeats = false;
        for (int rank = 0; rank < times.length; rank++) {
            if (times[rank] > 0) {
                distinct++;
                source = rank;
                repeats |= times[rank] > 1;
            }
        }
        String label = distinct > 1 || repeats ? ranks(times) : source + partOf(source, position + buffer.shift(part));
        String mark = expressions.isOfOtherPositions(expression) ? "!" : "";
        if (label.length() > LONGEST) {
            label = distinct + " of " + times.length;
        }
        boolean bySource = !call.collective().reduces();
        int level = Math.max(1, distinct * LEVELS / times.length);
        String look = bySource ? "s" + source : distinct == times.length && !repeats ? "all" : "l" + level;
        return new Cell(label + mark, expressions.describe(expression), look);
    }

    /** Which part of its input a rank has sent, where that is not the place that it goes to. */
    private String partOf(int source, long position) {
        if (call.collective() != Collective.SCATTER && call.collective() != Collective.ALL_TO_ALL) {
            return "";
        }
        for (int to = 0; to < call.ranks(); to++) {
            Slice part = call.collective() == Collective.SCATTER ? call.partOf(to) : call.sent(source, to);
            if (position >= part.from() && position < part.end()) {
                return ":" + to;
            }
        }
        return "";
    }

    /** Write a set of ranks, such as {@code "0+1"}, {@code "0..3"} or {@code "1+2x3"} if the input of rank 3 is there twice. */
    static String ranks(int[] times) {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < times.length; rank++) {
            if (times[rank] == 0) {
                continue;
            }
            text.append(text.isEmpty() ? "" : "+");
            int last = rank;
            while (times[rank] == 1 && last + 1 < times.length && times[last + 1] == 1) {
                last++;
            }
            if (last - rank >= 2) {
                text.append(rank).append("..").append(last);
                rank = last;
            } else {
                text.append(times[rank] > 1 ? times[rank] + "x" : "").append(rank);
            }
        }
        return text.toString();
    }
}
