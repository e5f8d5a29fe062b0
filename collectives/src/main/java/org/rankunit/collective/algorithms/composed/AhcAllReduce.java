package org.rankunit.collective.algorithms.composed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * All-reduce on servers of different size ("asymmetric hierarchical concatenate"): a reduce-scatter inside each server, an all-reduce
 * between servers, and an all-gather inside each server. A server of k ranks divides the data into k parts; where servers divide it at
 * different places, the pieces between all of these places are reduced one after the other, each among the ranks that have it.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class AhcAllReduce implements CollectiveAlgorithm {

    private final Family inside;
    private final Family between;

    /** With a mesh inside servers, and rings between them. */
    public AhcAllReduce() {
        this(Family.require("mesh"), Family.require("ring"));
    }

    /**
     * @param inside has algorithms for reduce-scatter and all-gather
     * @param between has one for all-reduce
     */
    public AhcAllReduce(Family inside, Family between) {
        this.inside = inside;
        this.between = between;
        inside.require(Collective.REDUCE_SCATTER);
        inside.require(Collective.ALL_GATHER);
        between.require(Collective.ALL_REDUCE);
    }

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call)
                .or(() -> IntStream.range(0, call.ranks())
                        .mapToObj(rank -> stages(call, rank).unsupportedReason())
                        .flatMap(Optional::stream)
                        .findFirst());
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return stages(call, rank).resources(rank);
    }

    @Override
    public void orchestrate(Orchestration rank) {
        stages(rank.call(), rank.rank()).orchestrate(rank);
    }

    private Stages stages(CollectiveCall call, int rank) {
        Stages stages = new Stages(each -> 0);
        Servers servers = call.servers();
        int server = servers.of(rank);
        List<Integer> members = ServerExchange.ranks(servers, server);
        List<Slice> parts =
                members.stream().map(member -> ownPart(call, member)).toList();
        stages.add(
                inside.require(Collective.REDUCE_SCATTER),
                Composition.inner(call, Collective.REDUCE_SCATTER, 0, parts).withInPlace(call.inPlace()),
                members,
                Stages.all(BufferKind.INPUT),
                AhcAllReduce::part);
        for (Slice piece : pieces(call, rank)) {
            Stages.Place place =
                    (whole, each) -> whole.buffer(BufferKind.OUTPUT, each).part(piece);
            stages.add(
                    between.require(Collective.ALL_REDUCE),
                    Composition.inner(
                                    call,
                                    Collective.ALL_REDUCE,
                                    servers.count(),
                                    1,
                                    piece.bytes() / call.elementBytes())
                            .withInPlace(true),
                    IntStream.range(0, servers.count())
                            .mapToObj(each -> owner(call, each, piece))
                            .toList(),
                    place,
                    place);
        }
        stages.add(
                inside.require(Collective.ALL_GATHER),
                Composition.inner(call, Collective.ALL_GATHER, 0, parts).withInPlace(true),
                members,
                AhcAllReduce::part,
                Stages.all(BufferKind.OUTPUT));
        return stages;
    }

    private static Region part(Orchestration whole, int rank) {
        return whole.buffer(BufferKind.OUTPUT, rank).part(ownPart(whole.call(), rank));
    }

    /** What a rank has after the reduce-scatter inside its server. */
    private static Slice ownPart(CollectiveCall call, int rank) {
        Servers servers = call.servers();
        int server = servers.of(rank);
        return call.part(rank - servers.first(server), servers.size(server));
    }

    /** The pieces of what a rank has, in the order of all pieces, so that no ranks wait for each other. */
    private static List<Slice> pieces(CollectiveCall call, int rank) {
        Slice own = ownPart(call, rank);
        List<Long> bounds = Stream.concat(
                        Stream.of(own.from(), own.end()),
                        IntStream.range(0, call.ranks())
                                .mapToObj(each -> ownPart(call, each).from())
                                .filter(bound -> bound > own.from() && bound < own.end()))
                .distinct()
                .sorted()
                .toList();
        return IntStream.range(1, bounds.size())
                .mapToObj(i -> new Slice(bounds.get(i - 1), bounds.get(i) - bounds.get(i - 1)))
                .toList();
    }

    /** The rank of a server that has a piece. */
    private static int owner(CollectiveCall call, int server, Slice piece) {
        Servers servers = call.servers();
        int rank = servers.first(server);
        while (ownPart(call, rank).end() <= piece.from()) {
            rank++;
        }
        return rank;
    }
}
