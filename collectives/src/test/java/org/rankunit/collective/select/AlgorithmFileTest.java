package org.rankunit.collective.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.yaml.YamlException;

@Tag("unit")
class AlgorithmFileTest {

    private static final CollectiveCall ALL_REDUCE = CollectiveCall.of(Collective.ALL_REDUCE, 4, DType.FLOAT32, 100);

    private static Rules rules(String yaml) {
        return new Rules(Interconnect.MESH, HcclAlgo.parse("level0:NA;level1:NHR"))
                .withFile(AlgorithmFile.parse("ccl.yaml", yaml));
    }

    @Test
    void whatTheFileAsksForIsChosenBeforeAllRules() {
        Rules rules = rules("collectives: {all-reduce: TreeAllReduce}\n");
        Selection selection = rules.select(ALL_REDUCE.withRanksPerServer(2)).orElseThrow();

        assertThat(selection.name()).isEqualTo("TreeAllReduce");
        assertThat(selection.tag()).isEqualTo("all-reduce/TreeAllReduce");
        assertThat(selection.reason()).isEqualTo("ccl.yaml asks for it");
    }

    /** A class of a user. */
    public static final class OfAUser implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.ALL_GATHER;
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return Resources.onMainStream(List.of());
        }

        @Override
        public void orchestrate(Orchestration rank) {}
    }

    @Test
    void aClassOfTheUserIsFound() {
        Rules rules = rules("collectives: {all-gather: " + OfAUser.class.getName() + "}\n");
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 4, DType.FLOAT32, 100);

        assertThat(rules.select(call).orElseThrow().algorithm()).isInstanceOf(OfAUser.class);
    }

    @Test
    void otherCollectivesAreLeftToTheRules() {
        Rules rules = rules("defaults: {}\nalgorithms: {}\ncollectives: {all-gather: MeshAllGather}\n");

        assertThat(rules.select(ALL_REDUCE).orElseThrow().name()).isEqualTo("MeshAllReduce");
        assertThat(rules("algorithms: {}\n").select(ALL_REDUCE).orElseThrow().name())
                .isEqualTo("MeshAllReduce");
    }

    @Test
    void whatDoesNotApplyIsRefusedWithTheReason() {
        Rules rules = rules("collectives: {all-reduce: StagedRingAllReduce}\n");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select(ALL_REDUCE))
                .withMessage("ccl.yaml asks for StagedRingAllReduce, which does not apply to all-reduce of 4 ranks, 100"
                        + " float32, sum: it needs single-operator mode");
    }

    private static void refused(String yaml, String message) {
        assertThatExceptionOfType(YamlException.class)
                .isThrownBy(() -> AlgorithmFile.parse("ccl.yaml", yaml))
                .withMessage(message);
    }

    @Test
    void whatTheFileCannotSayIsRefusedWithThePlace() {
        refused(
                "collectives: {all-reduce: MeshAllGather}\n",
                "ccl.yaml, line 1, column 27: collectives.all-reduce: MeshAllGather is an algorithm for all-gather");
        refused(
                "collectives: {all-reduce: Mesh}\n",
                "ccl.yaml, line 1, column 27: collectives.all-reduce: RankUnit has no algorithm Mesh, and there is no"
                        + " such class");
        refused(
                "collectives: {all-reduce: 'HierarchicalAllReduce:mesh'}\n",
                "ccl.yaml, line 1, column 27: collectives.all-reduce: RankUnit has no algorithm"
                        + " HierarchicalAllReduce:mesh: an algorithm of levels has two at least: [mesh]");
        refused(
                "collectives: {all-reduce: java.lang.String}\n",
                "ccl.yaml, line 1, column 27: collectives.all-reduce: class java.lang.String is not a CollectiveAlgorithm");
        refused(
                "collectives: {allreduce: MeshAllReduce}\n",
                "ccl.yaml, line 1, column 15: there is no key \"collectives.allreduce\"; allowed here are all-gather,"
                        + " reduce-scatter, all-reduce, broadcast, reduce, scatter, gather, all-to-all, send-recv,"
                        + " barrier");
    }
}
