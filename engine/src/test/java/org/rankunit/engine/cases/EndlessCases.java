package org.rankunit.engine.cases;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Tests without end: a run of them ends only if it is stopped. */
@DeviceCount(2)
@Platforms("a2a3sim")
public class EndlessCases {

    @TestFactory
    Stream<DynamicTest> alwaysOneMore(RankContext rank) {
        return Stream.generate(() -> DynamicTest.dynamicTest("one more", rank::barrier));
    }
}
