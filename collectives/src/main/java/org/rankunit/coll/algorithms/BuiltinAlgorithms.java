package org.rankunit.coll.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.algorithms.bruck.BruckAllToAll;
import org.rankunit.coll.algorithms.composed.AhcAllGather;
import org.rankunit.coll.algorithms.composed.AhcAllReduce;
import org.rankunit.coll.algorithms.composed.AhcReduceScatter;
import org.rankunit.coll.algorithms.composed.Hierarchical;
import org.rankunit.coll.algorithms.halving.DoublingAllGather;
import org.rankunit.coll.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.coll.algorithms.halving.HalvingDoublingBroadcast;
import org.rankunit.coll.algorithms.halving.HalvingDoublingReduce;
import org.rankunit.coll.algorithms.halving.HalvingReduceScatter;
import org.rankunit.coll.algorithms.levels.PipelineAllGather;
import org.rankunit.coll.algorithms.levels.PipelineAllReduce;
import org.rankunit.coll.algorithms.levels.PipelineReduceScatter;
import org.rankunit.coll.algorithms.levels.RailAllReduce;
import org.rankunit.coll.algorithms.levels.TwoLevelAllToAll;
import org.rankunit.coll.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.coll.algorithms.mesh.MeshAllGather;
import org.rankunit.coll.algorithms.mesh.MeshAllReduce;
import org.rankunit.coll.algorithms.mesh.MeshAllToAll;
import org.rankunit.coll.algorithms.mesh.MeshBarrier;
import org.rankunit.coll.algorithms.mesh.MeshBroadcast;
import org.rankunit.coll.algorithms.mesh.MeshGather;
import org.rankunit.coll.algorithms.mesh.MeshReduce;
import org.rankunit.coll.algorithms.mesh.MeshReduceScatter;
import org.rankunit.coll.algorithms.mesh.MeshScatter;
import org.rankunit.coll.algorithms.mesh.PairwiseAllToAll;
import org.rankunit.coll.algorithms.nb.DisseminationBarrier;
import org.rankunit.coll.algorithms.nb.NbAllGather;
import org.rankunit.coll.algorithms.nb.NbAllReduce;
import org.rankunit.coll.algorithms.nb.NbReduceScatter;
import org.rankunit.coll.algorithms.nhr.NhrAllGather;
import org.rankunit.coll.algorithms.nhr.NhrAllReduce;
import org.rankunit.coll.algorithms.nhr.NhrBroadcast;
import org.rankunit.coll.algorithms.nhr.NhrReduceScatter;
import org.rankunit.coll.algorithms.nhr.NhrScatter;
import org.rankunit.coll.algorithms.pairs.BatchSendRecv;
import org.rankunit.coll.algorithms.pat.PatAllGather;
import org.rankunit.coll.algorithms.pat.PatReduceScatter;
import org.rankunit.coll.algorithms.ring.MultiRingAllReduce;
import org.rankunit.coll.algorithms.ring.RingAllGather;
import org.rankunit.coll.algorithms.ring.RingAllReduce;
import org.rankunit.coll.algorithms.ring.RingBroadcast;
import org.rankunit.coll.algorithms.ring.RingReduce;
import org.rankunit.coll.algorithms.ring.RingReduceScatter;
import org.rankunit.coll.algorithms.ring.RingScatter;
import org.rankunit.coll.algorithms.ring.TwoWayRingAllReduce;
import org.rankunit.coll.algorithms.staged.Staged;
import org.rankunit.coll.algorithms.swing.SwingAllReduce;
import org.rankunit.coll.algorithms.tree.BinomialBroadcast;
import org.rankunit.coll.algorithms.tree.BinomialGather;
import org.rankunit.coll.algorithms.tree.BinomialReduce;
import org.rankunit.coll.algorithms.tree.BinomialScatter;
import org.rankunit.coll.algorithms.tree.DoubleBinaryTreeAllReduce;
import org.rankunit.coll.algorithms.tree.TreeAllReduce;

/**
 * The algorithms that RankUnit brings.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BuiltinAlgorithms {

    private static final List<CollectiveAlgorithm> MESH = List.of(
            new AllGatherMeshOpbaseExecutor(),
            new MeshAllGather(),
            new MeshReduceScatter(),
            new MeshAllReduce(),
            new MeshBroadcast(),
            new MeshScatter(),
            new MeshGather(),
            new MeshReduce(),
            new MeshAllToAll(),
            new PairwiseAllToAll(),
            new MeshBarrier());

    private static final List<CollectiveAlgorithm> RING = List.of(
            new RingAllReduce(),
            new TwoWayRingAllReduce(),
            new MultiRingAllReduce(2),
            new RingReduceScatter(),
            new RingAllGather(),
            new RingBroadcast(),
            new RingReduce(),
            new RingScatter());

    private static final List<CollectiveAlgorithm> HALVING = List.of(
            new HalvingDoublingAllReduce(),
            new HalvingReduceScatter(),
            new DoublingAllGather(),
            new HalvingDoublingBroadcast(),
            new HalvingDoublingReduce());

    private static final List<CollectiveAlgorithm> SWING = List.of(new SwingAllReduce());

    private static final List<CollectiveAlgorithm> TREE = List.of(
            new BinomialBroadcast(),
            new BinomialReduce(),
            new BinomialScatter(),
            new BinomialGather(),
            new TreeAllReduce(),
            new DoubleBinaryTreeAllReduce());

    private static final List<CollectiveAlgorithm> NB =
            List.of(new NbAllGather(), new NbReduceScatter(), new NbAllReduce(), new DisseminationBarrier());

    private static final List<CollectiveAlgorithm> BRUCK = List.of(new BruckAllToAll());

    private static final List<CollectiveAlgorithm> NHR = List.of(
            new NhrAllGather(), new NhrReduceScatter(), new NhrAllReduce(), new NhrBroadcast(), new NhrScatter());

    private static final List<CollectiveAlgorithm> PAT = List.of(new PatAllGather(), new PatReduceScatter());

    private static final List<CollectiveAlgorithm> LEVELS = List.of(
            new RailAllReduce(),
            new TwoLevelAllToAll(),
            new PipelineAllReduce(),
            new PipelineReduceScatter(),
            new PipelineAllGather());

    private static final List<CollectiveAlgorithm> COMPOSED = Stream.of(
                    "HierarchicalAllReduce:mesh+ring",
                    "HierarchicalAllReduce:ring+2xH-D_R+NHR",
                    "HierarchicalReduceScatter:mesh+NHR",
                    "HierarchicalAllGather:mesh+NHR",
                    "HierarchicalBroadcast:mesh+H-D_R",
                    "HierarchicalReduce:mesh+H-D_R")
            .flatMap(name -> Hierarchical.named(name).stream())
            .toList();

    private static final List<CollectiveAlgorithm> AHC =
            List.of(new AhcAllReduce(), new AhcReduceScatter(), new AhcAllGather());

    private static final List<CollectiveAlgorithm> PAIRS = List.of(new BatchSendRecv());

    private static final List<CollectiveAlgorithm> ON_WINDOWS = Stream.of(
                    MESH, RING, HALVING, SWING, TREE, NB, BRUCK, NHR, PAT, LEVELS, COMPOSED, AHC, PAIRS)
            .flatMap(List::stream)
            .toList();

    private static final List<CollectiveAlgorithm> STAGED = List.of(
            new Staged(new MeshReduceScatter()),
            new Staged(new MeshAllReduce()),
            new Staged(new MeshAllToAll()),
            new Staged(new MeshScatter()),
            new Staged(new MeshGather()),
            new Staged(new MeshReduce()),
            new Staged(new RingAllReduce()),
            new Staged(new RingAllGather()),
            new Staged(new HalvingDoublingAllReduce()),
            new Staged(new BinomialBroadcast()),
            new Staged(new NhrAllReduce()),
            new Staged(new NbAllReduce()),
            new Staged(new DoublingAllGather()),
            new Staged(new SwingAllReduce()),
            new Staged(new DoubleBinaryTreeAllReduce()),
            new Staged(new RailAllReduce()));

    private BuiltinAlgorithms() {}

    /** Get all algorithms: those that work on windows, and some of them in single-operator mode. */
    public static List<CollectiveAlgorithm> all() {
        return Stream.concat(ON_WINDOWS.stream(), STAGED.stream()).toList();
    }

    /**
     * Get the algorithm of this name, or the {@link Hierarchical} one; empty if there is none.
     *
     * @throws IllegalArgumentException if the name begins as that of a hierarchical one, and what follows is wrong
     */
    public static Optional<CollectiveAlgorithm> named(String name) {
        return all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .or(() -> Hierarchical.named(name));
    }
}
