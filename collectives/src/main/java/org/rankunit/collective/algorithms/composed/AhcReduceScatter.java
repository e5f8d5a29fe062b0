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
import org.rankunit.collective.call.Slice;

/**
 * Reduce-scatter on servers of different size ("asymmetric hierarchical concatenate"): each rank reduces, in scratch memory, its own elements
 * for its server and those of ranks of each other server, at whose place it is, modulo the size of its server; then one inside each server.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class AhcReduceScatter implements CollectiveAlgorithm {

    private final CollectiveAlgorithm inside;

    /** With a mesh inside servers. */
    public AhcReduceScatter() {
        this(Family.require("mesh"));
    }

    /** @param inside has an algorithm for the collective */
    public AhcReduceScatter(Family inside) {
        this.inside = inside.require(Collective.REDUCE_SCATTER);
    }

    @Override
    public Collective collective() {
        return Collective.REDUCE_SCATTER;
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
        all.addAll(ServerExchange.eachIsRead(call, rank).links());
        return new Resources(own.scratchBytes(), own.subStreams(), own.notifies(), all);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int server = call.servers().of(self.rank());
        Slice block = block(call, server);
        Region sums = sums(self, self.rank(), block);
        self.main().copy(self.input().part(block), sums);
        ServerExchange.eachIsRead(call, self.rank()).read(self, link -> {
            Region theirs = self.buffer(BufferKind.INPUT, link.peer()).part(block);
            self.main().getReduce(link, theirs, sums);
        });
        insideServer(call, server).orchestrate(self);
    }

    private Stages insideServer(CollectiveCall call, int server) {
        Slice block = block(call, server);
        Stages stages = new Stages(each -> block.bytes());
        List<Integer> ranks = ServerExchange.ranks(call.servers(), server);
        stages.add(
                inside,
                Composition.inner(
                        call,
                        Collective.REDUCE_SCATTER,
                        0,
                        ranks.stream().map(call::partOf).toList()),
                ranks,
                (whole, rank) -> sums(whole, rank, block),
                Stages.all(BufferKind.OUTPUT));
        return stages;
    }

    private static Region sums(Orchestration self, int rank, Slice block) {
        return self.buffer(BufferKind.SCRATCH, rank).part(0, block.bytes());
    }

    /** The parts of the ranks of a server. */
    private static Slice block(CollectiveCall call, int server) {
        List<Integer> ranks = ServerExchange.ranks(call.servers(), server);
        long from = call.partOf(ranks.get(0)).from();
        return new Slice(from, call.partOf(ranks.get(ranks.size() - 1)).end() - from);
    }
}
