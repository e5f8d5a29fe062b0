package org.rankunit.collective.algorithms.composed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.call.Slice;

/**
 * All-gather on servers of different size ("asymmetric hierarchical concatenate"): one inside each server; then each rank reads all parts of
 * each other server from one rank there, the one at the same place, modulo the size of that server.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class AhcAllGather implements CollectiveAlgorithm {

    private final CollectiveAlgorithm inside;

    /** With a mesh inside servers. */
    public AhcAllGather() {
        this(Family.require("mesh"));
    }

    /** @param inside has an algorithm for the collective */
    public AhcAllGather(Family inside) {
        this.inside = inside.require(Collective.ALL_GATHER);
    }

    @Override
    public Collective collective() {
        return Collective.ALL_GATHER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call)
                .or(() -> IntStream.range(0, call.servers().count())
                        .mapToObj(server -> insideServer(call, server).unsupportedReason())
                        .flatMap(Optional::stream)
                        .findFirst());
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Resources own = insideServer(call, call.servers().of(rank)).resources(rank);
        List<Integer> all = new ArrayList<>(own.links());
        all.addAll(ServerExchange.eachReads(call, rank).links());
        return new Resources(own.scratchBytes(), own.subStreams(), own.notifies(), all);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        Servers servers = call.servers();
        insideServer(call, servers.of(self.rank())).orchestrate(self);
        ServerExchange.eachReads(call, self.rank()).read(self, link -> {
            Slice block = block(call, servers.of(link.peer()));
            Region theirs = self.buffer(BufferKind.OUTPUT, link.peer()).part(block);
            self.main().get(link, theirs, self.output().part(block));
        });
    }

    private Stages insideServer(CollectiveCall call, int server) {
        Stages stages = new Stages(each -> 0);
        List<Integer> ranks = ServerExchange.ranks(call.servers(), server);
        stages.add(
                inside,
                Composition.inner(
                                call,
                                Collective.ALL_GATHER,
                                0,
                                ranks.stream().map(call::partOf).toList())
                        .withInPlace(call.inPlace()),
                ranks,
                Stages.all(BufferKind.INPUT),
                (whole, rank) -> whole.buffer(BufferKind.OUTPUT, rank).part(block(call, server)));
        return stages;
    }

    /** The parts of the ranks of a server. */
    private static Slice block(CollectiveCall call, int server) {
        List<Integer> ranks = ServerExchange.ranks(call.servers(), server);
        long from = call.partOf(ranks.get(0)).from();
        return new Slice(from, call.partOf(ranks.get(ranks.size() - 1)).end() - from);
    }
}
