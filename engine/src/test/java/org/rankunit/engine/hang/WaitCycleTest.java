package org.rankunit.engine.hang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.comm.recorder.FlightRecorder;
import org.rankunit.engine.hang.HangSummary.Position;
import org.rankunit.engine.protocol.CommOperation;

@Tag("unit")
class WaitCycleTest {

    private static final List<Integer> ALL = List.of();

    private final SortedMap<Integer, Position> positions = new TreeMap<>();

    private static CommOperation barrier(List<Integer> ranks, int number, String state, long started) {
        return new CommOperation("barrier", number, 0, ranks, ranks.isEmpty() ? 0 : 1, false, state, started, "");
    }

    private void in(int rank, List<Integer> ranks, int number, CommOperation... before) {
        List<CommOperation> operations = new ArrayList<>(List.of(before));
        operations.add(barrier(ranks, number, CommOperation.ENTERED, 1000));
        positions.put(rank, new Position.There("A.java:1", operations));
    }

    private void at(int rank, CommOperation... operations) {
        positions.put(rank, new Position.There("A.java:1", List.of(operations)));
    }

    private void outside(int rank, CommOperation... operations) {
        positions.put(rank, new Position.Outside("{has} ended {its} tests", List.of(operations)));
    }

    private List<Integer> proven() {
        return WaitCycle.proven(positions);
    }

    @Test
    void whoWaitsForARankThatHasEndedTheTestWaitsForEver() {
        in(0, ALL, 2, barrier(ALL, 1, CommOperation.DONE, 1));
        outside(1, barrier(ALL, 1, CommOperation.DONE, 1));

        assertThat(proven()).containsExactly(0, 1);
    }

    @Test
    void aRankOutsideThatHasComeToTheBarrierLetsTheOthersOut() {
        in(0, ALL, 1);
        outside(1, barrier(ALL, 1, CommOperation.DONE, 1));

        assertThat(proven()).isEmpty();
    }

    @Test
    void whoComputesMayStillCome() {
        in(0, ALL, 1);
        at(1);
        outside(2, barrier(ALL, 1, CommOperation.DONE, 1));

        assertThat(proven()).isEmpty();
    }

    @Test
    void aRankOutsideNeedNotBeWaitedFor() {
        in(0, List.of(0, 1), 1);
        at(1);
        outside(2);

        assertThat(proven()).isEmpty();
    }

    @Test
    void domainsThatFollowEachOtherInACircleWaitForEver() {
        in(0, List.of(0, 1), 1);
        in(1, List.of(1, 2), 1);
        in(2, List.of(2, 0), 1);
        at(3);

        assertThat(proven()).containsExactly(0, 1, 2);
    }

    @Test
    void aChainThatEndsSomewhereIsNoCircle() {
        in(0, List.of(0, 1), 1);
        in(1, List.of(1, 2), 1);
        at(2);

        assertThat(proven()).isEmpty();
    }

    @Test
    void theWorldsBarrierAndADomainsAreACircleToo() {
        in(0, ALL, 1);
        in(1, List.of(1, 2), 1);
        in(2, ALL, 1);

        assertThat(proven()).containsExactly(1, 2);
    }

    @Test
    void theSameRanksInAnotherOrderAreAnotherDomain() {
        in(0, List.of(0, 1), 1);
        in(1, List.of(1, 0), 1);

        assertThat(proven()).containsExactly(0, 1);
    }

    @Test
    void aWaitWithADeadlineOfItsOwnEndsByItself() {
        CommOperation limited = new CommOperation("barrier", 1, 0, ALL, 0, true, CommOperation.ENTERED, 5, "");
        at(0, limited);
        outside(1);

        assertThat(proven()).isEmpty();
    }

    @Test
    void whatRanksWereReleasedFromHoldsThemNoMoreButIsSeen() {
        at(0, barrier(List.of(0, 1), 1, CommOperation.RELEASED, 5));
        at(1, barrier(List.of(1, 0), 1, CommOperation.FAILED, 5));

        assertThat(proven()).isEmpty();
        assertThat(WaitCycle.seen(positions)).containsExactly(0, 1);
    }

    @Test
    void aRankThatDidNotAnswerProvesNothing() {
        in(0, ALL, 1);
        positions.put(1, new Position.Silent(""));

        assertThat(proven()).isEmpty();
    }

    @Test
    void aRecorderThatDoesNotGoBackFarEnoughProvesNothing() {
        in(0, List.of(0, 1), 1);
        List<CommOperation> young =
                Collections.nCopies(FlightRecorder.KEPT, barrier(List.of(1, 2), 1, CommOperation.DONE, 1001));
        outside(1, young.toArray(CommOperation[]::new));
        assertThat(proven()).isEmpty();

        List<CommOperation> old =
                Collections.nCopies(FlightRecorder.KEPT, barrier(List.of(1, 2), 1, CommOperation.DONE, 999));
        outside(1, old.toArray(CommOperation[]::new));
        assertThat(proven()).containsExactly(0, 1);
    }
}
