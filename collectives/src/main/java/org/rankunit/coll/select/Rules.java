package org.rankunit.coll.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.algorithms.Repertoire;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.MemoryMode;

/**
 * Choose an algorithm by rules, as HCCL does. On one server, its interconnect decides: a mesh gets algorithms for a mesh, a ring those
 * for a ring. On several servers, what {@link HcclAlgo} asks for; else halving-doubling if there are at least eight servers or a power of
 * two above one, and a ring if not. Of those, the first one that applies to the call is chosen; if none does, any of the repertoire that
 * applies.
 *
 * <p>All of RankUnit's algorithms are flat: on several servers, too, one algorithm is for all ranks.
 *
 * <p>Source: HCCL's configurator of algorithms ("level 0" and "level 1").
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Rules {

    private static final int MANY_SERVERS = 8;
    private static final String HALVING = "H-D_R";

    private final Interconnect interconnect;
    private final HcclAlgo asked;

    public Rules(Interconnect interconnect, HcclAlgo asked) {
        this.interconnect = interconnect;
        this.asked = asked;
    }

    /** Choose; empty if nothing in the repertoire applies. */
    public Optional<Selection> select(CollectiveCall call) {
        int servers = (call.ranks() - 1) / call.ranksPerServer() + 1;
        String family = servers == 1 ? inside() : between(call.collective(), servers);
        String reason = servers == 1
                ? "one server with a " + family
                : servers + " servers, " + (asked.level1(call.collective()).isPresent() ? "HCCL_ALGO asks for " : "so ")
                        + family;
        return preferred(family, call.memory()).stream()
                .filter(algorithm -> applies(algorithm, call))
                .findFirst()
                .map(algorithm -> Selection.of(algorithm, reason))
                .or(() -> Repertoire.all().stream()
                        .filter(algorithm -> applies(algorithm, call))
                        .findFirst()
                        .map(algorithm -> Selection.of(algorithm, reason + ", which has none that applies")));
    }

    private static boolean applies(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return algorithm.collective() == call.collective()
                && algorithm.whyNot(call).isEmpty();
    }

    private String inside() {
        return switch (interconnect) {
            case MESH -> "mesh";
            case RING -> "ring";
        };
    }

    private String between(Collective collective, int servers) {
        boolean halving = servers >= MANY_SERVERS || Integer.bitCount(servers) == 1;
        return asked.level1(collective).orElse(halving ? HALVING : "ring");
    }

    /** The algorithms of a family, those for the memory mode first. */
    private static List<CollectiveAlgorithm> preferred(String family, MemoryMode memory) {
        String prefix = prefixOf(family);
        String staged = "Staged" + prefix;
        Stream<CollectiveAlgorithm> made = Repertoire.all().stream()
                .filter(each ->
                        memory == MemoryMode.SINGLE_OPERATOR && each.name().contains(prefix + "Opbase"));
        Stream<CollectiveAlgorithm> others = Repertoire.all().stream()
                .filter(each -> each.name().startsWith(prefix) || each.name().startsWith(staged));
        return Stream.concat(made, others).toList();
    }

    private static String prefixOf(String family) {
        return switch (family) {
            case "mesh" -> "Mesh";
            case "ring" -> "Ring";
            case HALVING -> "HalvingDoubling";
            case "NHR" -> "Nhr";
            case "NB" -> "Nb";
            default -> throw new IllegalArgumentException("no algorithms of " + family);
        };
    }
}
