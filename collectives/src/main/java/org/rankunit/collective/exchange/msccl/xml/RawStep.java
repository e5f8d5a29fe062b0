package org.rankunit.collective.exchange.msccl.xml;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.exchange.msccl.program.Step;
import org.rankunit.collective.exchange.msccl.program.StepType;

/** A step as a file has it, whose dependencies are still names. */
final class RawStep {

    private static final int MAX_CHUNKS = 1 << 20;
    private static final int NONE = -1;

    private final Element element;
    private final int number;
    private final StepType type;
    private final boolean flagged;
    private final int awaitedBlock;
    private final int awaitedStep;
    private Chunks source = new Chunks(BufferKind.INPUT, 0, 0);
    private Chunks target = new Chunks(BufferKind.INPUT, 0, 0);

    /** Numbers of notifies. */
    private final List<Integer> awaits = new ArrayList<>();

    private final List<Integer> posts = new ArrayList<>();

    RawStep(Element element, int number) {
        this.element = element;
        this.number = number;
        if (element.number("s", 0, Integer.MAX_VALUE) != number) {
            throw element.error(element.shown("s") + "; steps are numbered 0, 1, 2 and so on: expected " + number);
        }
        this.type = StepType.of(element.text("type"))
                .orElseThrow(() ->
                        element.error(element.shown("type") + "; expected s, r, rcs, rrs, rrc, rrcs, cpy, re or nop"));
        this.flagged = element.number("hasdep", 0, 1, 0) == 1;
        this.awaitedBlock = element.number("depid", NONE, Integer.MAX_VALUE, NONE);
        this.awaitedStep = element.number("deps", NONE, Integer.MAX_VALUE, NONE);
        if (awaitedBlock >= 0 && awaitedStep < 0) {
            throw element.error(element.shown("depid") + ", but deps names no step of that threadblock");
        }
    }

    /**
     * Read what the step moves.
     *
     * @param sizes of the buffers in chunks, by the numbers of their kinds
     */
    void readChunks(int[] sizes) {
        if (type == StepType.NOP) {
            return;
        }
        int count = element.number("cnt", 1, MAX_CHUNKS);
        if (type.reads()) {
            source = chunks("srcbuf", "srcoff", count, sizes);
        }
        if (type.writes()) {
            target = chunks("dstbuf", "dstoff", count, sizes);
        }
    }

    private Chunks chunks(String buffer, String offset, int count, int[] sizes) {
        BufferKind kind = switch (element.text(buffer)) {
            case "i" -> BufferKind.INPUT;
            case "o" -> BufferKind.OUTPUT;
            case "s" -> BufferKind.SCRATCH;
            default -> throw element.error(element.shown(buffer) + "; expected i, o or s");
        };
        int from = element.number(offset, 0, MAX_CHUNKS);
        if (from + count > sizes[kind.number()]) {
            throw element.error(element.shown(offset) + " and cnt=\"" + count + "\" are outside of buffer "
                    + Chunks.letter(kind) + ", which has " + sizes[kind.number()] + " chunks here");
        }
        return new Chunks(kind, from, count);
    }

    Element element() {
        return element;
    }

    int number() {
        return number;
    }

    StepType type() {
        return type;
    }

    Chunks source() {
        return source;
    }

    Chunks target() {
        return target;
    }

    /** Whether others may wait for it. */
    boolean isFlagged() {
        return flagged && type != StepType.NOP;
    }

    boolean awaitsOther() {
        return awaitedBlock >= 0;
    }

    int awaitedBlock() {
        return awaitedBlock;
    }

    int awaitedStep() {
        return awaitedStep;
    }

    void await(int notify) {
        awaits.add(notify);
    }

    void post(int notify) {
        posts.add(notify);
    }

    Step resolved() {
        return new Step(type, source, target, awaits, posts, element.line());
    }
}
