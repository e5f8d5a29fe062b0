package org.rankunit.collective.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.bruck.BruckAllToAll;
import org.rankunit.collective.algorithms.composed.AhcAllGather;
import org.rankunit.collective.algorithms.composed.AhcAllReduce;
import org.rankunit.collective.algorithms.composed.AhcReduceScatter;
import org.rankunit.collective.algorithms.composed.Hierarchical;
import org.rankunit.collective.algorithms.halving.DoublingAllGather;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.halving.HalvingDoublingBroadcast;
import org.rankunit.collective.algorithms.halving.HalvingDoublingReduce;
import org.rankunit.collective.algorithms.halving.HalvingReduceScatter;
import org.rankunit.collective.algorithms.levels.PipelineAllGather;
import org.rankunit.collective.algorithms.levels.PipelineAllReduce;
import org.rankunit.collective.algorithms.levels.PipelineReduceScatter;
import org.rankunit.collective.algorithms.levels.RailAllReduce;
import org.rankunit.collective.algorithms.levels.TwoLevelAllToAll;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.mesh.MeshAllGather;
import org.rankunit.collective.algorithms.mesh.MeshAllReduce;
import org.rankunit.collective.algorithms.mesh.MeshAllToAll;
import org.rankunit.collective.algorithms.mesh.MeshBarrier;
import org.rankunit.collective.algorithms.mesh.MeshBroadcast;
import org.rankunit.collective.algorithms.mesh.MeshGather;
import org.rankunit.collective.algorithms.mesh.MeshReduce;
import org.rankunit.collective.algorithms.mesh.MeshReduceScatter;
import org.rankunit.collective.algorithms.mesh.MeshScatter;
import org.rankunit.collective.algorithms.mesh.PairwiseAllToAll;
import org.rankunit.collective.algorithms.nb.DisseminationBarrier;
import org.rankunit.collective.algorithms.nb.NbAllGather;
import org.rankunit.collective.algorithms.nb.NbAllReduce;
import org.rankunit.collective.algorithms.nb.NbReduceScatter;
import org.rankunit.collective.algorithms.nhr.NhrAllGather;
import org.rankunit.collective.algorithms.nhr.NhrAllReduce;
import org.rankunit.collective.algorithms.nhr.NhrBroadcast;
import org.rankunit.collective.algorithms.nhr.NhrReduceScatter;
import org.rankunit.collective.algorithms.nhr.NhrScatter;
import org.rankunit.collective.algorithms.pairs.BatchSendRecv;
import org.rankunit.collective.algorithms.pat.PatAllGather;
import org.rankunit.collective.algorithms.pat.PatReduceScatter;
import org.rankunit.collective.algorithms.ring.MultiRingAllReduce;
import org.rankunit.collective.algorithms.ring.RingAllGather;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.ring.RingBroadcast;
import org.rankunit.collective.algorithms.ring.RingReduce;
import org.rankunit.collective.algorithms.ring.RingReduceScatter;
import org.rankunit.collective.algorithms.ring.RingScatter;
import org.rankunit.collective.algorithms.ring.TwoWayRingAllReduce;
import org.rankunit.collective.algorithms.staged.Staged;
import org.rankunit.collective.algorithms.swing.SwingAllReduce;
import org.rankunit.collective.algorithms.tree.BinomialBroadcast;
import org.rankunit.collective.algorithms.tree.BinomialGather;
import org.rankunit.collective.algorithms.tree.BinomialReduce;
import org.rankunit.collective.algorithms.tree.BinomialScatter;
import org.rankunit.collective.algorithms.tree.DoubleBinaryTreeAllReduce;
import org.rankunit.collective.algorithms.tree.TreeAllReduce;

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
