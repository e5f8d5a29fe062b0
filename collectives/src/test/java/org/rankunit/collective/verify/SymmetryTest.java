package org.rankunit.collective.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.tree.TreeAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.finding.Finding;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.sweep.Sweep;

@Tag("unit")
class SymmetryTest {

    /** {@link SymmetryOfManyRanksTest} goes on. */
    static final int FEW = 16;

    static List<CollectiveAlgorithm> symmetricAlgorithms() {
        List<CollectiveAlgorithm> symmetric = BuiltinAlgorithms.all().stream()
                .filter(each -> !symmetricCalls(each, 8).isEmpty())
                .toList();
        assertThat(symmetric).hasSizeGreaterThan(10);
        return symmetric;
    }

    private static List<CollectiveCall> symmetricCalls(CollectiveAlgorithm algorithm, int ranks) {
        return Sweep.calls(algorithm, ranks).stream()
                .filter(call -> algorithm.symmetry(call) != Symmetry.NONE)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("symmetricAlgorithms")
    void oneRankProvesWhatARunOfAllFewProves(CollectiveAlgorithm algorithm) {
        compareProofs(algorithm, 2, FEW);
    }

    static void compareProofs(CollectiveAlgorithm algorithm, int smallest, int largest) {
        int compared = 0;
        for (int ranks = smallest; ranks <= largest; ranks++) {
            for (CollectiveCall call : symmetricCalls(algorithm, ranks)) {
                Verification full = Verifier.inFull(algorithm, call);
                Verification proved = SymmetricVerifier.verify(algorithm, call)
                        .orElseThrow(() -> new AssertionError(call.toString()));

                assertThat(full.findings()).as(call.toString()).isEmpty();
                assertThat(proved.bySymmetry().orElseThrow().comparedAll()).isTrue();
                assertThat(withoutProof(proved)).isEqualTo(full);
                compared++;
            }
        }
        assertThat(compared).isPositive();
    }

    private static Verification withoutProof(Verification found) {
        return new Verification(
                found.algorithm(),
                found.call(),
                found.tasks(),
                found.cost(),
                found.sameEveryRun(),
                found.sameOnAllRanks(),
                found.inRankOrder(),
                found.causes(),
                found.counts(),
                Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("symmetricAlgorithms")
    void aTaskThatAllRanksLeaveOutIsFoundByBoth(CollectiveAlgorithm algorithm) {
        for (int ranks : List.of(4, 5)) {
            for (CollectiveCall call : symmetricCalls(algorithm, ranks)) {
                if (call.collective() != Collective.BARRIER && call.count() != 2L * ranks) {
                    continue;
                }
                int tasks = SkippedTask.tasks(algorithm, call);
                for (int skipped = 0; skipped < tasks; skipped++) {
                    CollectiveAlgorithm mutant = new SkippedTask(algorithm, skipped);
                    String what = algorithm.name() + " without task " + skipped + ", " + call;

                    if (Schedule.ofRank(mutant, call, 0).size()
                            == Schedule.ofRank(algorithm, call, 0).size()) {
                        // In place, a copy of bytes onto themselves is no task.
                        continue;
                    }
                    assertThat(kinds(Verifier.inFull(mutant, call)))
                            .as(what)
                            .isNotEmpty()
                            .doesNotContain(FindingKind.FALSE_SYMMETRY);
                    assertThat(SymmetricVerifier.verify(mutant, call)).as(what).isEmpty();
                }
            }
        }
    }

    private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 8, DType.FLOAT32, 16);

    @Test
    void aFalseDeclarationIsFoundWithBothLines() {
        for (Symmetry symmetry : List.of(Symmetry.CYCLIC, Symmetry.XOR)) {
            CollectiveAlgorithm tree = new Declared(new TreeAllReduce(), symmetry);
            Verification found = Verifier.verify(tree, CALL);

            assertThat(SymmetricVerifier.verify(tree, CALL)).isEmpty();
            assertThat(kinds(found)).containsExactly(FindingKind.FALSE_SYMMETRY);
            assertThat(found.findings().get(0).text()).contains(symmetry + " symmetry is declared, but rank 1");
        }
    }

    @Test
    void aRankWithADifferentTaskIsNamed() {
        Verification found = Verifier.verify(new Declared(new RingAllReduce(), Symmetry.XOR), CALL);

        assertThat(kinds(found)).containsExactly(FindingKind.FALSE_SYMMETRY);
        Finding finding = found.findings().get(0);
        assertThat(finding.text()).contains("XOR symmetry is declared, but rank 1");
    }

    @Test
    void whatOneRankDoesOtherwiseIsADifference() {
        CollectiveAlgorithm mutant = new SkippedTask(new RingAllReduce(), 5, rank -> rank == 3);
        Verification found = Verifier.verify(mutant, CALL);

        Finding finding = found.findings().stream()
                .filter(each -> each.kind() == FindingKind.FALSE_SYMMETRY)
                .findFirst()
                .orElseThrow();
        assertThat(finding.text()).contains("CYCLIC symmetry is declared, but rank 3's task 5");
        assertThat(finding.toString()).containsPattern("(?s)of rank 0 \\(\\w+.java:\\d+.*of rank 3 \\(\\w+.java:\\d+");
        assertThat(SymmetricVerifier.verify(mutant, CALL)).isEmpty();
    }

    @Test
    void partsOfDifferentSizesAreNoSymmetry() {
        CollectiveAlgorithm ring = new Declared(new RingAllReduce(), Symmetry.CYCLIC);
        Verification found = Verifier.verify(ring, CALL.withCount(17));

        assertThat(kinds(found)).containsExactly(FindingKind.FALSE_SYMMETRY);
        assertThat(found.findings().get(0).text()).contains("17 elements cannot be divided into 8 equal parts");
    }

    @Test
    void manyRanksAreVerifiedByOne() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 4096, DType.FLOAT32, 8192);
        Verification found = Verifier.verify(new RingAllReduce(), call);

        SymmetryProof proof = found.bySymmetry().orElseThrow();
        assertThat(found.isCorrect()).isTrue();
        assertThat(proof.comparedAll()).isFalse();
        assertThat(proof.compared()).contains(1, 2, 2048, 4095);
        assertThat(found.report()).contains("13 of 4,095 others were compared with it (1, 2, 4, 8,");
    }

    @Test
    void aSweepSaysWhichRanksWereCompared() {
        CollectiveAlgorithm ring = new RingAllReduce();
        Sweep.Result few = Sweep.verify(ring, List.of(64, 65));
        Sweep.Result many = Sweep.verify(ring, List.of(2048));

        assertThat(few.first()).isEmpty();
        assertThat(few.bySymmetry()).isEqualTo(symmetricCalls(ring, 65).size());
        assertThat(few.sampled() + few.tooLarge()).isZero();
        assertThat(many.first()).isEmpty();
        assertThat(many.sampled()).isEqualTo(symmetricCalls(ring, 2048).size());
        assertThat(many.tooLarge()).isPositive();
        assertThat(many.verified() + many.tooLarge())
                .isEqualTo(Sweep.calls(ring, 2048).size());
    }

    private static Set<FindingKind> kinds(Verification found) {
        return found.findings().stream().map(Finding::kind).collect(Collectors.toSet());
    }
}
