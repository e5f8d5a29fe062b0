package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
@DeviceCount(2)
class ReportedTest {

    @Test
    void passes() {}

    @Test
    void fails(RankContext rank) {
        System.out.println("about to fail on rank " + rank.rank());
        assertEquals(0, rank.rank());
    }

    @TestFactory
    DynamicTest oddText(TestReporter reporter) {
        String odd = "\u001b[31mred nul \u0000 no character \uFFFE half \ud800 end of data ]]>";
        return DynamicTest.dynamicTest(odd, () -> {
            System.out.println(odd);
            reporter.publishEntry("odd", odd);
            throw new IllegalStateException(odd);
        });
    }
}
