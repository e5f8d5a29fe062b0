package org.rankunit.collective.exchange.msccl.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.collective.exchange.msccl.program.Block;
import org.rankunit.collective.exchange.msccl.program.StepType;

/** A threadblock as a file has it. */
final class RawBlock {

    private static final int NONE = -1;

    private final Element element;
    private final int rank;
    private final int id;
    private final int send;
    private final int recv;
    private final int channel;
    private final List<RawStep> steps = new ArrayList<>();

    RawBlock(Element element, int rank, int ranks, int channels) {
        this.element = element;
        this.rank = rank;
        this.id = element.number("id", 0, Integer.MAX_VALUE);
        this.send = peer("send", ranks);
        this.recv = peer("recv", ranks);
        this.channel = element.number("chan", send < 0 && recv < 0 ? NONE : 0, channels - 1);
    }

    private int peer(String attribute, int ranks) {
        int peer = element.number(attribute, NONE, ranks - 1);
        if (peer == rank) {
            throw element.error(element.shown(attribute) + ", which is its own gpu; use cpy to copy inside a gpu");
        }
        return peer;
    }

    void add(RawStep step) {
        if (step.type().sends() && send < 0) {
            throw step.element()
                    .error("type " + step.type() + " sends, but its threadblock " + id + " has send=\"-1\"");
        }
        if (step.type().receives() && recv < 0) {
            throw step.element()
                    .error("type " + step.type() + " receives, but its threadblock " + id + " has recv=\"-1\"");
        }
        steps.add(step);
    }

    Element element() {
        return element;
    }

    int rank() {
        return rank;
    }

    int id() {
        return id;
    }

    int send() {
        return send;
    }

    int recv() {
        return recv;
    }

    int channel() {
        return channel;
    }

    List<RawStep> steps() {
        return steps;
    }

    /** The step that sets the flag for which a wait for a step looks: the first one from it on that others may wait for. */
    Optional<RawStep> flaggedFrom(int step) {
        return steps.stream()
                .filter(each -> each.number() >= step && each.isFlagged())
                .findFirst();
    }

    Block resolved() {
        return new Block(
                send,
                recv,
                channel,
                steps.stream()
                        .filter(each -> each.type() != StepType.NOP)
                        .map(RawStep::resolved)
                        .toList());
    }
}
