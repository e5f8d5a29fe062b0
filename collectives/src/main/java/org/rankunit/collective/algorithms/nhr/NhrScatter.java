package org.rankunit.collective.algorithms.nhr;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Scatter in log2 n steps, rounded up, for any number of ranks: in each step, the ranks that have slices give every second one away.
 * Slices of others lie in scratch memory.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class NhrScatter implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.SCATTER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        StridesFromRoot steps = StridesFromRoot.of(call, rank);
        long others = steps.parent() < 0
                ? 0
                : steps.slices().stream()
                        .skip(1)
                        .mapToLong(slice -> call.partOf(slice).bytes())
                        .sum();
        return steps.resources().withScratch(others);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        StridesFromRoot steps = StridesFromRoot.of(call, self.rank());
        if (steps.parent() >= 0) {
            Link link = self.link(steps.parent());
            main.rxAck(link);
            for (int slice : steps.slices()) {
                main.get(link, slice(self, link.peer(), slice), slice(self, self.rank(), slice));
            }
            main.txDataSignal(link);
        }
        steps.children().forEach(child -> main.txAck(self.link(child)));
        if (steps.parent() < 0) {
            main.copy(self.input().part(call.partOf(self.rank())), self.output());
        }
        steps.children().forEach(child -> main.rxDataSignal(self.link(child)));
    }

    /** Where a slice lies at a rank that gets it. */
    private static Region slice(Orchestration self, int rank, int slice) {
        CollectiveCall call = self.call();
        if (rank == call.root()) {
            return self.buffer(BufferKind.INPUT, rank).part(call.partOf(slice));
        }
        if (rank == slice) {
            return self.buffer(BufferKind.OUTPUT, rank);
        }
        long before = StridesFromRoot.of(call, rank).slices().stream()
                .skip(1)
                .takeWhile(each -> each != slice)
                .mapToLong(each -> call.partOf(each).bytes())
                .sum();
        return self.buffer(BufferKind.SCRATCH, rank)
                .part(before, call.partOf(slice).bytes());
    }
}
