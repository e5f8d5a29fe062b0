package org.rankunit.collective.exchange.msccl.export;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.exchange.msccl.program.StepType;

/** A step that is being made. */
final class Move {

    private final Lane lane;
    private final int number;
    private final StepType type;
    private final Chunks source;
    private final Chunks target;
    /** The last one of each other threadblock that must have ended before. */
    private final Map<Lane, Move> dependencies = new LinkedHashMap<>();

    private boolean flagged;
    /** Its number among the steps of its threadblock, once it is written. */
    private int step;

    Move(Lane lane, StepType type, Chunks source, Chunks target) {
        this.lane = lane;
        this.number = lane.moves().size();
        this.type = type;
        this.source = source;
        this.target = target;
    }

    Lane lane() {
        return lane;
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

    Map<Lane, Move> dependencies() {
        return dependencies;
    }

    void comesAfter(Move other) {
        dependencies.merge(other.lane(), other, (one, another) -> one.number() > another.number() ? one : another);
    }

    void flag() {
        flagged = true;
    }

    boolean isFlagged() {
        return flagged;
    }

    /** The runtime makes reductions in a row into the same chunks in one go, unless the first one has a flag. */
    boolean wouldBeMergedWith(Move next) {
        return type == StepType.REDUCE
                && next.type == StepType.REDUCE
                && next.dependencies.isEmpty()
                && target.buffer() == next.target.buffer()
                && target.from() == next.target.from()
                && source.buffer() == next.source.buffer()
                && target.count() != next.target.count();
    }

    int step() {
        return step;
    }

    void setStep(int numberOfStep) {
        step = numberOfStep;
    }
}
