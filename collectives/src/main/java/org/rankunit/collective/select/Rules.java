package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

/**
 * Choose an algorithm by rules, as HCCL does. On one server, its interconnect decides: a mesh gets algorithms for a mesh, a ring those
 * for a ring. On several servers, what {@link HcclAlgo} asks for; else halving-doubling if there are at least eight servers or a power of
 * two above one, and a ring if not. Of those, the first one that applies to the call is chosen; if none does, any of the repertoire that
 * applies. What an {@link AlgorithmFile} asks for comes before all of this.
 *
 * <p>One algorithm is for all ranks; those of two levels are chosen by name only.
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
    private final AlgorithmFile file;

    public Rules(Interconnect interconnect, HcclAlgo asked) {
        this(interconnect, asked, AlgorithmFile.none());
    }

    private Rules(Interconnect interconnect, HcclAlgo asked, AlgorithmFile file) {
        this.interconnect = interconnect;
        this.asked = asked;
        this.file = file;
    }

    /** Get the same rules for collectives for which a file asks for nothing; for the others, what it asks for is chosen. */
    public Rules withFile(AlgorithmFile newFile) {
        return new Rules(interconnect, asked, newFile);
    }

    /**
     * Choose; empty if nothing in the repertoire applies.
     *
     * @throws IllegalArgumentException if a file asks for an algorithm that does not apply
     */
    public Optional<Selection> select(CollectiveCall call) {
        return file.select(call).or(() -> byRules(call));
    }

    private Optional<Selection> byRules(CollectiveCall call) {
        int servers = call.servers().count();
        String family = servers == 1 ? inside() : between(call.collective(), servers);
        String reason = servers == 1
                ? "one server with a " + family
                : servers + " servers, " + (asked.level1(call.collective()).isPresent() ? "HCCL_ALGO asks for " : "so ")
                        + family;
        return preferred(family, call.memory()).stream()
                .filter(algorithm -> applies(algorithm, call))
                .findFirst()
                .map(algorithm -> Selection.of(algorithm, reason))
                .or(() -> BuiltinAlgorithms.all().stream()
                        .filter(algorithm -> applies(algorithm, call))
                        .findFirst()
                        .map(algorithm -> Selection.of(algorithm, reason + ", which has none that applies")));
    }

    private static boolean applies(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return algorithm.collective() == call.collective()
                && algorithm.unsupportedReason(call).isEmpty();
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
        List<String> prefixes = prefixesOf(family);
        Stream<CollectiveAlgorithm> made = BuiltinAlgorithms.all().stream()
                .filter(each -> memory == MemoryMode.SINGLE_OPERATOR
                        && prefixes.stream().anyMatch(prefix -> each.name().contains(prefix + "Opbase")));
        Stream<CollectiveAlgorithm> others = BuiltinAlgorithms.all().stream()
                .filter(each -> prefixes.stream()
                        .anyMatch(prefix ->
                                each.name().startsWith(prefix) || each.name().startsWith("Staged" + prefix)));
        return Stream.concat(made, others).toList();
    }

    private static List<String> prefixesOf(String family) {
        return switch (family) {
            case "mesh" -> List.of("Mesh");
            case "ring" -> List.of("Ring");
            case HALVING -> List.of("Halving", "Doubling");
            case "NHR" -> List.of("Nhr");
            case "NB" -> List.of("Nb");
            default -> throw new IllegalArgumentException("no algorithms of " + family);
        };
    }
}
