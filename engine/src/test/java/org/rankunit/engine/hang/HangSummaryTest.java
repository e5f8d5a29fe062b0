package org.rankunit.engine.hang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.hang.HangSummary.Position;
import org.rankunit.engine.protocol.CommOperation;
import org.rankunit.engine.protocol.RankOutcome.RankWait;

@Tag("unit")
class HangSummaryTest {

    private final SortedMap<Integer, Position> positions = new TreeMap<>();

    private static CommOperation operation(String kind, long number, String state, String place) {
        return new CommOperation(kind, number, 0, List.of(), 0, false, state, 0, place);
    }

    private static CommOperation in(int barrier, String place) {
        return operation("barrier", barrier, CommOperation.ENTERED, place);
    }

    private static List<CommOperation> done(int barriers) {
        List<CommOperation> operations = new ArrayList<>();
        for (int i = 1; i <= barriers; i++) {
            operations.add(operation("barrier", i, CommOperation.DONE, ""));
        }
        return operations;
    }

    private void inBarrier(int rank, int barrier, String place) {
        List<CommOperation> operations = done(barrier - 1);
        operations.add(in(barrier, place));
        positions.put(rank, new Position.There(place, operations));
    }

    private void at(int rank, String place, int barriersDone) {
        positions.put(rank, new Position.There(place, done(barriersDone)));
    }

    private String sentence() {
        return HangSummary.sentence(positions);
    }

    @Test
    void waitsAreKnownByRank() {
        inBarrier(0, 17, "AllReduceTest.java:42");
        at(1, "TreduceTest.java:57", 16);
        inBarrier(2, 17, "AllReduceTest.java:42");
        positions.put(3, new Position.There("A.java:9", done(17), List.of("stream 2 waits for notify 4")));
        positions.put(4, new Position.Silent("its process is stopped"));

        assertThat(HangSummary.waits(positions))
                .containsExactly(
                        new RankWait(0, "barrier #17 (AllReduceTest.java:42)", List.of(1)),
                        new RankWait(2, "barrier #17 (AllReduceTest.java:42)", List.of(1)),
                        new RankWait(3, "stream 2 waits for notify 4", List.of()));
    }

    @Test
    void whoIsOutsideOfTheTestWaitsForThoseInIt() {
        inBarrier(0, 1, "A.java:1");
        positions.put(1, new Position.Outside("{has} ended {its} tests"));

        assertThat(HangSummary.waits(positions))
                .containsExactly(
                        new RankWait(0, "barrier #1 (A.java:1)", List.of(1)),
                        new RankWait(1, "has ended its tests", List.of(0)));
    }

    @Test
    void whoNeverEnteredWhatTheOthersAreInIsNamedWithItsPlace() {
        inBarrier(0, 17, "AllReduceTest.java:42");
        at(1, "TreduceTest.java:57", 16);
        inBarrier(2, 17, "AllReduceTest.java:42");
        inBarrier(3, 17, "AllReduceTest.java:42");

        assertThat(sentence())
                .isEqualTo("ranks 0, 2, 3 are in barrier #17 (AllReduceTest.java:42); rank 1 never entered it: it is at"
                        + " TreduceTest.java:57");
    }

    @Test
    void severalThatNeverEnteredShareAClause() {
        inBarrier(0, 1, "A.java:1");
        at(1, "B.java:2", 0);
        at(2, "B.java:2", 0);

        assertThat(sentence())
                .isEqualTo("rank 0 is in barrier #1 (A.java:1); ranks 1, 2 never entered it: they are at B.java:2");
    }

    @Test
    void whoHasLeftWhatAnotherIsStillInIsSaidToHave() {
        inBarrier(0, 3, "A.java:1");
        at(1, "A.java:2", 3);

        assertThat(sentence()).isEqualTo("rank 0 is in barrier #3 (A.java:1); rank 1 has left it: it is at A.java:2");
    }

    @Test
    void ranksInDifferentOperationsWaitInDifferentPlaces() {
        inBarrier(0, 17, "A.java:42");
        positions.put(
                1,
                new Position.There(
                        "A.java:57",
                        List.of(new CommOperation(
                                "recv", 5, 0, List.of(3), 0, false, CommOperation.ENTERED, 0, "A.java:57"))));

        assertThat(sentence())
                .isEqualTo(
                        "the ranks wait in different places: rank 0 is in barrier #17 (A.java:42); rank 1 is in recv #5"
                                + " (A.java:57) with rank 3");
    }

    @Test
    void ranksThatEnteredTheSameFromDifferentLinesAreToldApart() {
        inBarrier(0, 2, "A.java:1");
        inBarrier(1, 2, "A.java:9");
        at(2, "A.java:5", 1);

        assertThat(sentence())
                .isEqualTo(
                        "rank 0 is in barrier #2 (A.java:1); rank 1 is in barrier #2 (A.java:9); rank 2 never entered"
                                + " it: it is at A.java:5");
    }

    @Test
    void whatAllAreInIsSaidNotToEnd() {
        inBarrier(0, 2, "A.java:1");
        inBarrier(1, 2, "A.java:1");

        assertThat(sentence()).isEqualTo("ranks 0, 1 are in barrier #2 (A.java:1), and it has not completed");
    }

    @Test
    void sizesThatDifferAreTheReason() {
        positions.put(0, sending(64));
        positions.put(1, sending(128));
        positions.put(2, sending(64));

        assertThat(sentence())
                .isEqualTo("ranks 0, 1, 2 are in all-reduce #9 (A.java:3); sizes differ: 64 bytes on ranks 0, 2,"
                        + " 128 bytes on rank 1");
    }

    private static Position sending(long bytes) {
        return new Position.There(
                "A.java:3",
                List.of(new CommOperation(
                        "all-reduce", 9, bytes, List.of(), 0, false, CommOperation.ENTERED, 0, "A.java:3")));
    }

    @Test
    void ranksThatWaitForSomethingElseAreInNoOperation() {
        at(0, "A.java:1", 4);
        at(1, "A.java:1", 4);

        assertThat(sentence()).isEqualTo("ranks 0, 1 are at A.java:1, and in no operation of the communicator");
    }

    @Test
    void aRankInNoTestIsSaidToBe() {
        at(0, "", 0);

        assertThat(sentence()).isEqualTo("rank 0 is in no test, and in no operation of the communicator");
    }

    @Test
    void aRankThatDidNotAnswerIsNamedWithWhatIsKnown() {
        inBarrier(0, 1, "A.java:1");
        positions.put(1, new Position.Silent(""));
        positions.put(2, new Position.Silent("its process is stopped"));

        assertThat(sentence())
                .isEqualTo(
                        "rank 0 is in barrier #1 (A.java:1); rank 1 did not answer; rank 2 did not answer: its process"
                                + " is stopped");
    }

    @Test
    void ranksThatHaveEndedAreSaidTo() {
        inBarrier(0, 1, "A.java:1");
        positions.put(1, new Position.Outside("{has} ended {its} tests"));
        positions.put(2, new Position.Outside("{has} ended {its} tests"));

        assertThat(sentence()).isEqualTo("rank 0 is in barrier #1 (A.java:1); ranks 1, 2 have ended their tests");
    }

    @Test
    void whetherARankOutsideHasComeToWhatTheOthersAreInIsSaidWhereItIsKnown() {
        inBarrier(0, 2, "A.java:1");
        positions.put(1, new Position.Outside("{waits} for the others before the next test", done(1)));

        assertThat(sentence())
                .isEqualTo(
                        "rank 0 is in barrier #2 (A.java:1); rank 1 never entered it: it waits for the others before the"
                                + " next test");
    }

    @Test
    void whatRanksWereReleasedFromIsMatchedLikeWhatTheyAreIn() {
        List<CommOperation> released = done(1);
        released.add(operation("barrier", 2, CommOperation.RELEASED, "A.java:1"));
        released.add(operation("barrier", 3, CommOperation.RELEASED, "A.java:99"));
        positions.put(0, new Position.There("A.java:99", released));
        at(1, "A.java:5", 1);

        assertThat(sentence())
                .isEqualTo("rank 0 was in barrier #2 (A.java:1); rank 1 never entered it: it is at A.java:5");
    }

    private void inDomain(int rank, String kind, int number, int domain, String place, Integer... ranks) {
        positions.put(
                rank,
                new Position.There(
                        place,
                        List.of(new CommOperation(
                                kind, number, 0, List.of(ranks), domain, false, CommOperation.ENTERED, 9, place))));
    }

    @Test
    void aDomainIsNamedByItsRanksAndOnlyTheyHaveMissedIt() {
        inDomain(0, "barrier", 1, 1, "A.java:1", 0, 1);
        at(1, "A.java:7", 0);
        at(2, "A.java:9", 0);

        assertThat(sentence())
                .isEqualTo(
                        "rank 0 is in barrier #1 of the domain of ranks 0, 1 (A.java:1); rank 1 never entered it: it is"
                                + " at A.java:7; rank 2 is at A.java:9, and in no operation of the communicator");
    }

    @Test
    void whatAllRanksOfADomainAreInIsSaidNotToEnd() {
        inDomain(0, "release", 1, 2, "A.java:1", 1, 0);
        inDomain(1, "release", 1, 2, "A.java:1", 1, 0);
        at(2, "A.java:9", 0);

        assertThat(sentence())
                .isEqualTo("ranks 0, 1 are in the release of domain #2 of ranks 1, 0 (A.java:1), and it has not"
                        + " completed; rank 2 is at A.java:9, and in no operation of the communicator");
    }

    @Test
    void ranksThatWaitForEachOtherInACircleOfDomainsAreADeadlock() {
        inDomain(0, "barrier", 3, 1, "A.java:1", 0, 1);
        inDomain(1, "allocation", 1, 1, "A.java:2", 1, 2);
        inDomain(2, "barrier", 1, 2, "A.java:3", 2, 0);
        inBarrier(3, 5, "A.java:4");

        assertThat(sentence())
                .isEqualTo(
                        "a deadlock: rank 0 waits in barrier #3 of the domain of ranks 0, 1 (A.java:1) for rank 1, which"
                                + " waits in the allocation of the domain of ranks 1, 2 (A.java:2) for rank 2, which waits in"
                                + " barrier #1 of domain #2 of ranks 2, 0 (A.java:3) for rank 0; rank 3 is in barrier #5"
                                + " (A.java:4)");
    }

    @Test
    void whereOneWaitIsOverAllAreThoughARankHasNotHeardOfIt() {
        positions.put(
                0, new Position.There("A.java:1", List.of(operation("barrier", 1, CommOperation.FAILED, "A.java:1"))));
        inBarrier(1, 1, "A.java:1");
        at(2, "A.java:5", 0);

        assertThat(sentence())
                .isEqualTo("ranks 0, 1 were in barrier #1 (A.java:1); rank 2 never entered it: it is at A.java:5");
    }
}
