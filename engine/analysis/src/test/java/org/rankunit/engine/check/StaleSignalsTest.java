package org.rankunit.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.timeline.LogWriter.TEST_BEGIN;
import static org.rankunit.engine.timeline.LogWriter.halves;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.device.Comparison;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.engine.timeline.RankLog;

/** Rank 0 signals a cell of rank 1, in logs that were written by hand. */
@Tag("unit")
class StaleSignalsTest {

    private static final int MARK = 2;
    private static final int COPY = 12;
    private static final int WINDOW = 13;
    private static final int WORK_BEGIN = 21;
    private static final int SIGNAL = 30;
    private static final int WAIT = 31;
    private static final int ARGUMENT = 34;

    private static final int SET = 0;
    private static final int ADD = 1;
    private static final int TEST = 1;
    private static final int STREAM = 3;
    private static final long CELL = 0x20000;
    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:a()]";

    @TempDir
    Path folder;

    private final LogWriter sender = new LogWriter();
    private final LogWriter receiver = new LogWriter();
    private int time = 1000;
    private int cell;

    @BeforeEach
    void begin() {
        for (LogWriter writer : List.of(sender, receiver)) {
            int id = writer.text(ID);
            for (int rank = 0; rank < 2; rank++) {
                at(writer, WINDOW, 0, 1, 0, halves(rank, rank), 0x10000L * (rank + 1), 0x1000);
            }
            at(writer, MARK, 0, TEST_BEGIN, id);
        }
        // a kernel that does not say what it accesses: else a signal that nobody needs does no harm
        at(receiver, WORK_BEGIN, STREAM, 1, 1, 0);
    }

    private void at(LogWriter writer, int kind, int actor, long... words) {
        time++;
        writer.event(kind, actor, time, time, words);
    }

    private void signal(int how, int value, int order) {
        signal(sender, how, value, order);
    }

    private void signal(LogWriter by, int how, int value, int order) {
        at(by, SIGNAL, STREAM, CELL, halves(how, cell), value, order);
        cell = how == ADD ? cell + value : value;
    }

    private void waits(Comparison compare, int value, int order, int found) {
        at(receiver, WAIT, STREAM, CELL, compare.number(), value, order, halves(found, 0));
    }

    private List<String> findings() throws IOException {
        SimulatorCheck.Result result = SimulatorCheck.of(
                List.of(sender.write(folder.resolve("0")), receiver.write(folder.resolve("1"))),
                ID,
                true,
                RankLog::open);
        assertThat(result.notChecked()).isEmpty();
        return result.findings();
    }

    @Test
    void aSignalThatNobodyNeedsDoesNoHarmWhereAllAccessesAreKnown() throws IOException {
        at(receiver, ARGUMENT, STREAM, 0, 1, 0x500, 16, 1);
        at(sender, COPY, STREAM, 1, 0x20100, 0, 16);
        signal(SET, 1, 1);
        signal(SET, 1, 2);
        waits(Comparison.EQ, 1, 1, 1);
        waits(Comparison.EQ, 1, 1, 1);
        at(receiver, COPY, STREAM, 2, 0, 0x20100, 16);

        assertThat(findings()).isEmpty();
    }

    @Test
    void aWaitThatTheSignalOfTheLastRoundSatisfiesIsFound() throws IOException {
        signal(SET, 1, 1);
        signal(SET, 1, 2);
        waits(Comparison.EQ, 1, 1, 1);
        waits(Comparison.EQ, 1, 1, 1);

        assertThat(findings())
                .singleElement()
                .asString()
                .isEqualTo(
                        "stale signal: bytes [0, 4) of the window of rank 1 still had their value from the last round"
                                + " when they were waited for again, so this wait does not wait\n"
                                + "    waited for EQ 1 by rank 1, host\n"
                                + "    waited for EQ 1 again by rank 1, host\n"
                                + "    set to 1 by rank 0, host\n"
                                + "    set to 1 by rank 0, host, which no wait needs\n"
                                + "    Wait for the number of the round, or set the cell back between the rounds.");
    }

    @Test
    void soItIsIfTheSecondSignalWasFastEnoughThisTime() throws IOException {
        signal(SET, 1, 1);
        signal(SET, 1, 2);
        waits(Comparison.GE, 1, 1, 1);
        waits(Comparison.GE, 1, 2, 1);

        assertThat(findings()).singleElement().asString().startsWith("stale signal: ");
    }

    @Test
    void addingWithoutWaitingForMoreIsFound() throws IOException {
        signal(ADD, 1, 1);
        signal(ADD, 1, 2);
        waits(Comparison.GE, 1, 1, 1);
        waits(Comparison.GE, 1, 2, 2);

        assertThat(findings()).singleElement().asString().contains("raised by 1 by rank 0, host, which no wait needs");
    }

    @Test
    void soItIsIfBothSignalsCameBeforeTheFirstWait() throws IOException {
        signal(ADD, 1, 1);
        signal(ADD, 1, 2);
        waits(Comparison.GE, 1, 2, 2);
        waits(Comparison.GE, 1, 2, 2);

        assertThat(findings()).singleElement().asString().startsWith("stale signal: ");
    }

    @Test
    void aWaitThatPassesFromTheStartNeedsNoSignal() throws IOException {
        signal(ADD, 1, 1);
        signal(ADD, 1, 2);
        waits(Comparison.GE, 0, 0, 0);
        waits(Comparison.GE, 0, 2, 2);

        assertThat(findings()).isEmpty();
    }

    @Test
    void theNumberOfTheRoundTellsThemApart() throws IOException {
        signal(SET, 1, 1);
        signal(SET, 2, 2);
        waits(Comparison.GE, 1, 1, 1);
        waits(Comparison.GE, 2, 2, 2);

        assertThat(findings()).isEmpty();
    }

    @Test
    void aCellThatIsSetBackMayHaveTheSameValueAgain() throws IOException {
        signal(SET, 1, 1);
        waits(Comparison.EQ, 1, 1, 1);
        signal(receiver, SET, 0, 2);
        at(sender, WAIT, STREAM, CELL, Comparison.EQ.number(), 0, 2, 0);
        signal(SET, 1, 3);
        waits(Comparison.EQ, 1, 3, 1);

        assertThat(findings()).isEmpty();
    }

    @Test
    void twoMayWaitForOneSignal() throws IOException {
        signal(SET, 1, 1);
        waits(Comparison.GE, 1, 1, 1);
        waits(Comparison.GE, 1, 1, 1);

        assertThat(findings()).isEmpty();
    }

    @Test
    void aTestBeforeAWaitIsNoRoundOfItsOwn() throws IOException {
        signal(ADD, 1, 1);
        signal(ADD, 1, 2);
        at(receiver, WAIT, STREAM, CELL, Comparison.GE.number(), 1, 1, halves(1, TEST));
        waits(Comparison.GE, 1, 1, 1);

        assertThat(findings()).isEmpty();
    }

    @Test
    void aSignalThatALaterWaitNeedsIsNotStale() throws IOException {
        signal(ADD, 1, 1);
        signal(ADD, 1, 2);
        waits(Comparison.GE, 1, 1, 1);
        waits(Comparison.GE, 1, 1, 1);
        waits(Comparison.GE, 2, 2, 2);

        assertThat(findings()).isEmpty();
    }

    @Test
    void waitsOfTwoStreamsThatNothingOrdersAreNotRounds() throws IOException {
        signal(ADD, 1, 1);
        signal(ADD, 1, 2);
        waits(Comparison.GE, 1, 1, 1);
        at(receiver, WAIT, STREAM + 1, CELL, Comparison.GE.number(), 1, 2, halves(2, 0));

        assertThat(findings()).isEmpty();
    }

    @Test
    void aCellThatIsAlsoWrittenIsNotLookedAt() throws IOException {
        signal(SET, 1, 1);
        signal(SET, 1, 2);
        waits(Comparison.EQ, 1, 1, 1);
        at(receiver, COPY, STREAM, 0, CELL, 0, 4);
        waits(Comparison.EQ, 1, 2, 1);

        assertThat(findings()).noneMatch(text -> text.startsWith("stale signal: "));
    }
}
