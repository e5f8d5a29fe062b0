package org.rankunit.coll.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.coll.algorithms.ring.RingAllReduce;

/**
 * The algorithms that RankUnit brings.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Repertoire {

    private static final List<CollectiveAlgorithm> MESH = List.of(new AllGatherMeshOpbaseExecutor());
    private static final List<CollectiveAlgorithm> RING = List.of(new RingAllReduce());

    private Repertoire() {}

    /** Get all algorithms. */
    public static List<CollectiveAlgorithm> all() {
        return Stream.of(MESH, RING).flatMap(List::stream).toList();
    }

    /** Get the algorithm of this name; empty if there is none. */
    public static Optional<CollectiveAlgorithm> named(String name) {
        return all().stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
