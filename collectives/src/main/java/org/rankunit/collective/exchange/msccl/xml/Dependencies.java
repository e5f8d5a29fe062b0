package org.rankunit.collective.exchange.msccl.xml;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.collective.exchange.msccl.program.StepType;

/**
 * Waits of the threadblocks of one rank for each other. A threadblock of MSCCL has a flag: each step with {@code hasdep} sets it to the
 * number of the step. A wait for a step ends when the flag has that number or a larger one. Here each wait has a notify of its own, since
 * a notify is one bit.
 */
final class Dependencies {

    private final List<RawBlock> blocks;
    private int notifies;

    Dependencies(List<RawBlock> blocks) {
        this.blocks = blocks;
    }

    /** Give waits and posts to all steps; returns the number of notifies. */
    int resolve() {
        blocks.forEach(this::resolve);
        return notifies;
    }

    private void resolve(RawBlock block) {
        Map<Integer, Integer> awaited = new HashMap<>();
        Map<RawStep, RawStep> pending = new HashMap<>();
        RawStep doer = null;
        for (int i = block.steps().size() - 1; i >= 0; i--) {
            RawStep step = block.steps().get(i);
            doer = step.type() == StepType.NOP ? doer : step;
            if (doer != null) {
                pending.put(step, doer);
            }
        }
        for (RawStep step : block.steps()) {
            if (!step.awaitsOther()) {
                continue;
            }
            RawStep flagged = flagged(block, step);
            RawStep waits = pending.get(step);
            // After the last step that does something, MSCCL does not look at dependencies any more.
            boolean known = awaited.getOrDefault(step.awaitedBlock(), -1) >= flagged.number();
            if (waits != null && step.awaitedBlock() != block.id() && !known) {
                awaited.put(step.awaitedBlock(), flagged.number());
                waits.await(notifies);
                flagged.post(notifies);
                notifies++;
            }
        }
    }

    private RawStep flagged(RawBlock block, RawStep step) {
        Element element = step.element();
        if (step.awaitedBlock() >= blocks.size()) {
            throw element.error(
                    element.shown("depid") + "; gpu " + block.rank() + " has threadblocks 0 to " + (blocks.size() - 1));
        }
        RawBlock other = blocks.get(step.awaitedBlock());
        RawStep flagged = other.flaggedFrom(step.awaitedStep())
                .orElseThrow(() -> element.error(element.shown("depid") + " " + element.shown("deps")
                        + " waits forever: threadblock " + other.id() + " has no step from " + step.awaitedStep()
                        + " on with hasdep=\"1\" that is not a nop"));
        if (other == block && flagged.number() >= step.number()) {
            throw element.error("it waits for step " + flagged.number() + " of its own threadblock, which comes later");
        }
        return flagged;
    }
}
