package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * All-reduce in windows: each rank reduces a part of all inputs, which it reads where they are; then it reads the other parts of the
 * result.
 *
 * <p>With x(r) the element of rank r, part r is {@code ((x(r) op x(r + 1)) op x(r + 2)) op ...}, ranks modulo n: the same bits in every
 * run and on all ranks.
 *
 * <p>There are two links to each rank: one by which inputs are read, and one for the parts of the result.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Mesh.resourcesOfTwoLinks(call, rank);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int others = call.ranks() - 1;
        return call.count() > 0 && call.count() % call.ranks() == 0
                ? Optional.of(new Cost(
                        2 * others, 2L * others * call.part(0, call.ranks()).bytes()))
                : Optional.empty();
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        Slice part = call.part(self.rank(), call.ranks());
        Region own = self.output().part(part);
        List<Link> inputs = Mesh.links(self, 0);
        List<Link> results = Mesh.links(self, 1);
        Mesh.meet(self, Signal.ACK);
        main.copy(self.input().part(part), own);
        for (Link link : inputs) {
            main.getReduce(link, self.buffer(BufferKind.INPUT, link.peer()).part(part), own);
        }
        // Two links: the second Ack need not wait for the end of the first exchange, so ranks meet once for both.
        Mesh.post(self, inputs, Signal.DATA_SIGNAL);
        Mesh.post(self, results, Signal.ACK);
        Mesh.await(self, inputs, Signal.DATA_SIGNAL);
        Mesh.await(self, results, Signal.ACK);
        for (Link link : results) {
            Slice theirs = call.part(link.peer(), call.ranks());
            main.get(
                    link,
                    self.buffer(BufferKind.OUTPUT, link.peer()).part(theirs),
                    self.output().part(theirs));
        }
        Mesh.post(self, results, Signal.DATA_SIGNAL);
        Mesh.await(self, results, Signal.DATA_SIGNAL);
    }
}
