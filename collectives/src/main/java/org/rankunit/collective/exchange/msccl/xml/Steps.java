package org.rankunit.collective.exchange.msccl.xml;

import org.jspecify.annotations.Nullable;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.exchange.msccl.program.StepType;

/** What the steps of a threadblock must be, each by itself and after the one before it. */
final class Steps {

    private Steps() {}

    static void check(RawBlock block, Header header) {
        RawStep before = null;
        for (RawStep step : block.steps()) {
            checkTarget(step, header);
            if (header.isOutOfPlace()) {
                checkOverlap(step, step.source(), step.target());
            }
            if (header.isInPlace()) {
                checkOverlap(step, one(step.source(), block.rank(), header), one(step.target(), block.rank(), header));
            }
            checkAfter(step, before);
            before = step;
        }
    }

    private static void checkTarget(RawStep step, Header header) {
        if (step.type().writes() && step.target().buffer() == BufferKind.INPUT && header.isOutOfPlace()) {
            throw step.element()
                    .error("it writes to the input, which belongs to the caller out of place; write to s, or set"
                            + " inplace=\"1\" outofplace=\"0\"");
        }
    }

    /** In place, input and output are one memory: give chunks of the smaller one as those of the larger one. */
    private static Chunks one(Chunks chunks, int rank, Header header) {
        boolean inOutput = header.inChunks().inputLiesInOutput(rank);
        BufferKind outer = inOutput ? BufferKind.OUTPUT : BufferKind.INPUT;
        if (chunks.buffer() == BufferKind.SCRATCH || chunks.buffer() == outer) {
            return chunks;
        }
        int offset = (int) header.inChunks().inPlaceOffset(rank);
        return new Chunks(outer, chunks.from() + offset, chunks.count());
    }

    /** Threads read and write at the same time, so that only the same place or another one makes sense. */
    private static void checkOverlap(RawStep step, Chunks source, Chunks target) {
        if (!step.type().reads() || !step.type().writes() || !source.meets(target)) {
            return;
        }
        if (!source.equals(target)) {
            throw step.element().error("it reads " + source + " and writes " + target + ", which overlap");
        }
        if (step.type() == StepType.REDUCE) {
            throw step.element().error("it reduces " + source + " into itself");
        }
    }

    private static void checkAfter(RawStep step, @Nullable RawStep before) {
        if (before == null) {
            return;
        }
        if (before.type() == StepType.NOP && !step.awaitsOther()) {
            throw step.element()
                    .error("it follows a nop and has depid=\"-1\", which MSCCL refuses; move the dependency of the last"
                            + " nop to this step");
        }
        boolean continues = before.type() == StepType.REDUCE
                && step.type() == StepType.REDUCE
                && !before.isFlagged()
                && !step.awaitsOther()
                && before.target().buffer() == step.target().buffer()
                && before.target().from() == step.target().from()
                && before.source().buffer() == step.source().buffer();
        if (continues && before.target().count() != step.target().count()) {
            throw step.element()
                    .error("MSCCL makes this reduction and the one before in one go, since they are of the same buffers"
                            + " and dstoff, but cnt differs; set hasdep=\"1\" of the one before");
        }
    }
}
