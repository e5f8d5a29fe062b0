package org.example;

import static org.rankunit.coll.assertions.CollectiveAssertions.assertThatCollective;
import static org.rankunit.coll.assertions.CollectiveAssertions.ranks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MyRingIsCorrectTest {

    @Test
    void myRingIsCorrect() {
        assertThatCollective(new MyRingAllGather()).isCorrectFor(ranks(3, 16));
    }
}
