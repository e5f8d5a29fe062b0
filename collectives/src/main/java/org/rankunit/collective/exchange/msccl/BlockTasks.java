package org.rankunit.collective.exchange.msccl;

import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.exchange.msccl.program.Block;
import org.rankunit.collective.exchange.msccl.program.Connection;
import org.rankunit.collective.exchange.msccl.program.Program;
import org.rankunit.collective.exchange.msccl.program.Step;
import org.rankunit.collective.exchange.msccl.program.StepType;

/** Queues the tasks of one threadblock on one stream. */
final class BlockTasks {

    private final Program program;
    private final Layout layout;
    private final Orchestration self;
    private final TaskStream stream;
    private final Block block;
    /** The number of the first notify between threadblocks. */
    private final int firstNotify;

    private final @Nullable Incoming incoming;
    private final @Nullable Outgoing outgoing;

    BlockTasks(Program program, Layout layout, Orchestration self, TaskStream stream, Block block, int firstNotify) {
        this.program = program;
        this.layout = layout;
        this.self = self;
        this.stream = stream;
        this.block = block;
        this.firstNotify = firstNotify;
        Connection in = connection(block.recv(), self.rank());
        this.incoming = in == null ? null : new Incoming(in, layout, self, stream);
        Connection out = connection(self.rank(), block.send());
        this.outgoing = out == null ? null : new Outgoing(out, layout, self, stream);
    }

    private @Nullable Connection connection(int from, int to) {
        for (Connection each : program.connections()) {
            if (each.from() == from && each.to() == to && each.channel() == block.channel()) {
                return each;
            }
        }
        return null;
    }

    void queue() {
        self.setLine(place(block.steps().get(0)));
        if (incoming != null) {
            incoming.begin();
        }
        for (Step step : block.steps()) {
            self.setLine(place(step));
            step.awaits().forEach(notify -> stream.waitFor(self.notify(firstNotify + notify)));
            run(step);
            step.posts().forEach(notify -> stream.post(self.notify(firstNotify + notify)));
        }
        if (outgoing != null) {
            outgoing.end();
        }
    }

    private String place(Step step) {
        return program.source() + ":" + step.line();
    }

    private void run(Step step) {
        Region source = layout.region(self.rank(), step.source());
        Region target = layout.region(self.rank(), step.target());
        switch (step.type()) {
            case COPY -> stream.copy(source, target);
            case REDUCE -> stream.reduce(source, target);
            case SEND -> {
                if (outgoing != null) {
                    outgoing.await();
                    outgoing.send(source);
                }
            }
            case RECEIVE, RECEIVE_COPY_SEND, RECEIVE_REDUCE_COPY, RECEIVE_REDUCE_COPY_SEND, RECEIVE_REDUCE_SEND -> {
                if (incoming != null) {
                    receive(step, incoming, source, target);
                }
            }
            case NOP -> {}
        }
    }

    /** Reductions are made in the slot, so that what is sent on need not be stored. */
    private void receive(Step step, Incoming from, Region source, Region target) {
        StepType type = step.type();
        Region slot = from.receive(step.count() * layout.chunk());
        Outgoing to = type.sends() ? outgoing : null;
        if (to != null) {
            to.await();
        }
        if (type == StepType.RECEIVE_REDUCE_COPY && source.equals(target)) {
            stream.reduce(slot, target);
        } else {
            if (type.reads()) {
                stream.reduce(source, slot);
            }
            if (type.writes()) {
                stream.copy(slot, target);
            }
        }
        if (to != null) {
            to.send(slot);
        }
        from.release();
    }
}
