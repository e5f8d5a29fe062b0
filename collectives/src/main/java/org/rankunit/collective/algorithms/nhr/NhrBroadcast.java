package org.rankunit.collective.algorithms.nhr;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * Broadcast in 2 log2 n steps, rounded up, for any number of ranks: a scatter of n parts and an all-gather, both in the output. In the
 * all-gather, a rank does not read what it had to pass on in the scatter.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class NhrBroadcast implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.BROADCAST;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Set<Integer> links = new LinkedHashSet<>(Distances.resources(call, rank).links());
        links.addAll(StridesFromRoot.of(call, rank).resources().links());
        return Resources.onMainStream(List.copyOf(links));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        StridesFromRoot steps = StridesFromRoot.of(call, self.rank());
        if (steps.parent() < 0) {
            main.copy(self.input(), self.output());
        } else {
            Link link = self.link(steps.parent());
            main.rxAck(link);
            for (int number : steps.slices()) {
                Slice part = part(call, number);
                main.get(
                        link,
                        self.buffer(BufferKind.OUTPUT, link.peer()).part(part),
                        self.output().part(part));
            }
            main.txDataSignal(link);
        }
        steps.children().forEach(child -> main.txAck(self.link(child)));
        steps.children().forEach(child -> main.rxDataSignal(self.link(child)));
        new Strides(self, BufferKind.OUTPUT, number -> part(call, number))
                .gather(number -> !steps.slices().contains(number));
    }

    private static Slice part(CollectiveCall call, int number) {
        return call.part(number, call.ranks());
    }
}
