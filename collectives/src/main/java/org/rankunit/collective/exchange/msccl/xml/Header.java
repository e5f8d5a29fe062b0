package org.rankunit.collective.exchange.msccl.xml;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.exchange.msccl.program.Block;
import org.rankunit.collective.exchange.msccl.program.Connection;
import org.rankunit.collective.exchange.msccl.program.Program;

/** What the attributes of {@code <algo>} say. */
final class Header {

    /** The names of collectives in files; the compiler of MSCCL writes some of them with an underscore. */
    static final Map<String, Collective> COLLECTIVES = Map.of(
            "allreduce", Collective.ALL_REDUCE,
            "allgather", Collective.ALL_GATHER,
            "reducescatter", Collective.REDUCE_SCATTER,
            "alltoall", Collective.ALL_TO_ALL,
            "broadcast", Collective.BROADCAST,
            "reduce", Collective.REDUCE,
            "gather", Collective.GATHER,
            "scatter", Collective.SCATTER);

    /** NCCL has buffers for 8 steps on a connection; a send takes 4 of them with Simple, and 1 with the others. */
    private static final Map<String, Integer> SLOTS = Map.of("Simple", 2, "LL", 8, "LL128", 8);

    private static final int MAX_RANKS = 1 << 12;
    private static final int MAX_CHUNKS = 1 << 20;
    private static final int MAX_CHANNELS = 1 << 10;

    private final String name;
    private final Collective collective;
    private final int ranks;
    private final int chunks;
    private final int channels;
    private final int root;
    private final int slots;
    private final boolean inPlace;
    private final boolean outOfPlace;
    private final CollectiveCall inChunks;

    Header(Element algo) {
        name = algo.text("name");
        ranks = algo.number("ngpus", 1, MAX_RANKS);
        chunks = algo.number("nchunksperloop", 1, MAX_CHUNKS);
        channels = algo.number("nchannels", 0, MAX_CHANNELS);
        String coll = algo.text("coll");
        Collective found = COLLECTIVES.get(coll.replace("_", ""));
        if (found == null) {
            throw algo.error(algo.shown("coll") + "; expected "
                    + COLLECTIVES.keySet().stream().sorted().collect(Collectors.joining(", ")));
        }
        collective = found;
        Integer known = SLOTS.get(algo.text("proto"));
        if (known == null) {
            throw algo.error(algo.shown("proto") + "; expected Simple, LL or LL128");
        }
        slots = known;
        root = collective.hasRoot() ? algo.number("root", 0, ranks - 1, 0) : 0;
        inPlace = algo.number("inplace", 0, 1, 0) == 1;
        outOfPlace = algo.number("outofplace", 0, 1, inPlace ? 0 : 1) == 1;
        if (!inPlace && !outOfPlace) {
            throw algo.error("inplace and outofplace are both 0, so it is for no call; set one of them to 1");
        }
        if (inPlace && collective.hasCountsOfPairs()) {
            throw algo.error(
                    algo.shown("inplace") + "; RankUnit has no " + collective + " in place: expected inplace=\"0\"");
        }
        if (collective.hasCounts() && chunks % ranks != 0) {
            throw algo.error(algo.shown("nchunksperloop") + "; each of the " + ranks
                    + " gpus has a part of the data: expected a multiple of " + ranks);
        }
        inChunks = Program.inChunks(collective, ranks, chunks, root);
    }

    int ranks() {
        return ranks;
    }

    int channels() {
        return channels;
    }

    int slots() {
        return slots;
    }

    boolean isInPlace() {
        return inPlace;
    }

    boolean isOutOfPlace() {
        return outOfPlace;
    }

    /** The call in which each chunk is one byte: sizes of buffers, and where the input lies if it is in place. */
    CollectiveCall inChunks() {
        return inChunks;
    }

    Program program(String source, List<List<Block>> blocks, List<Integer> dependencies, List<Connection> connections) {
        return new Program(
                source,
                name,
                collective,
                ranks,
                chunks,
                root,
                inPlace,
                outOfPlace,
                slots,
                blocks,
                dependencies,
                connections);
    }
}
