package org.rankunit.collective.algorithms.composed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.halving.DoublingAllGather;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.halving.HalvingDoublingBroadcast;
import org.rankunit.collective.algorithms.halving.HalvingDoublingReduce;
import org.rankunit.collective.algorithms.halving.HalvingReduceScatter;
import org.rankunit.collective.algorithms.mesh.MeshAllGather;
import org.rankunit.collective.algorithms.mesh.MeshAllReduce;
import org.rankunit.collective.algorithms.mesh.MeshBroadcast;
import org.rankunit.collective.algorithms.mesh.MeshReduce;
import org.rankunit.collective.algorithms.mesh.MeshReduceScatter;
import org.rankunit.collective.algorithms.nb.NbAllGather;
import org.rankunit.collective.algorithms.nb.NbAllReduce;
import org.rankunit.collective.algorithms.nb.NbReduceScatter;
import org.rankunit.collective.algorithms.nhr.NhrAllGather;
import org.rankunit.collective.algorithms.nhr.NhrAllReduce;
import org.rankunit.collective.algorithms.nhr.NhrBroadcast;
import org.rankunit.collective.algorithms.nhr.NhrReduceScatter;
import org.rankunit.collective.algorithms.pat.PatAllGather;
import org.rankunit.collective.algorithms.pat.PatReduceScatter;
import org.rankunit.collective.algorithms.ring.RingAllGather;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.ring.RingBroadcast;
import org.rankunit.collective.algorithms.ring.RingReduce;
import org.rankunit.collective.algorithms.ring.RingReduceScatter;
import org.rankunit.collective.algorithms.tree.BinomialBroadcast;
import org.rankunit.collective.algorithms.tree.BinomialReduce;
import org.rankunit.collective.algorithms.tree.TreeAllReduce;
import org.rankunit.collective.call.Collective;

/**
 * Algorithms of one kind for different collectives, from which a level of a {@link Hierarchical} takes what it needs.
 *
 * @param name as in the name of the algorithm, without {@code +}
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Family(String name, Map<Collective, CollectiveAlgorithm> algorithms) {

    private static final List<Family> OURS = List.of(
            of(
                    "mesh",
                    new MeshReduceScatter(),
                    new MeshAllGather(),
                    new MeshAllReduce(),
                    new MeshBroadcast(),
                    new MeshReduce()),
            of(
                    "ring",
                    new RingReduceScatter(),
                    new RingAllGather(),
                    new RingAllReduce(),
                    new RingBroadcast(),
                    new RingReduce()),
            of(
                    "H-D_R",
                    new HalvingReduceScatter(),
                    new DoublingAllGather(),
                    new HalvingDoublingAllReduce(),
                    new HalvingDoublingBroadcast(),
                    new HalvingDoublingReduce()),
            of("NHR", new NhrReduceScatter(), new NhrAllGather(), new NhrAllReduce(), new NhrBroadcast()),
            of("NB", new NbReduceScatter(), new NbAllGather(), new NbAllReduce()),
            of("PAT", new PatReduceScatter(), new PatAllGather()),
            of("tree", new TreeAllReduce(), new BinomialBroadcast(), new BinomialReduce()));

    public Family {
        algorithms = Map.copyOf(algorithms);
        if (name.isEmpty() || name.contains("+")) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name of a family: it has a + or is empty");
        }
    }

    /** Make a family of algorithms for different collectives. */
    public static Family of(String name, CollectiveAlgorithm... algorithms) {
        return new Family(
                name,
                Arrays.stream(algorithms)
                        .collect(Collectors.toMap(CollectiveAlgorithm::collective, Function.identity())));
    }

    /** Get one of RankUnit's families: {@code mesh}, {@code ring}, {@code H-D_R}, {@code NHR}, {@code NB}, {@code PAT} or {@code tree}. */
    public static Optional<Family> named(String name) {
        return OURS.stream().filter(each -> each.name.equals(name)).findFirst();
    }

    static Family require(String name) {
        return named(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no family \"" + name + "\"; there are " + String.join(", ", names())));
    }

    /** Get the names that {@link #named} knows. */
    public static List<String> names() {
        return OURS.stream().map(Family::name).toList();
    }

    /**
     * Get the algorithm for a collective.
     *
     * @throws IllegalArgumentException if there is none
     */
    CollectiveAlgorithm require(Collective collective) {
        CollectiveAlgorithm found = algorithms.get(collective);
        if (found == null) {
            throw new IllegalArgumentException(name + " has no algorithm for " + collective + ", which a level needs");
        }
        return found;
    }
}
