package org.example;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Text that no XML file can hold, and the same failures on one rank and on all. */
@Tag("ranks")
@DeviceCount(2)
class OddTextTest {

    private static final String ODD =
            "\u001b[31mred\u001b[0m nul \u0000 no character \uFFFE half \ud800 end of data ]]> rocket \ud83d\ude80";

    @Test
    void assertionOnOneRank(RankContext rank) {
        if (rank.rank() == 1) {
            fail(ODD);
        }
    }

    @Test
    void assertionOnAllRanks() {
        fail(ODD);
    }

    @Test
    void exceptionOnOneRank(RankContext rank) {
        if (rank.rank() == 1) {
            throw new IllegalStateException(ODD);
        }
    }

    @Test
    void exceptionOnAllRanks() {
        throw new IllegalStateException(ODD);
    }

    @Test
    void assumption() {
        assumeTrue(false, ODD);
    }

    @Test
    void printsAndReports(TestReporter reporter) {
        System.out.println(ODD);
        System.err.println(ODD);
        reporter.publishEntry("odd", ODD);
    }

    @TestFactory
    Stream<DynamicTest> names() {
        return Stream.of(DynamicTest.dynamicTest(ODD, () -> {}));
    }
}
