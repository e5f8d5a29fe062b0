package org.rankunit.engine.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class WindowNameTest {

    @Test
    void aWindowIsNamedByItsRankAndDomain() {
        assertThat(new TestRange.Space.Window(1, 0, 2).name()).isEqualTo("window of rank 2");
        assertThat(new TestRange.Space.Window(1, 8, 2).name()).isEqualTo("window of rank 2 in domain 7");
    }

    @Test
    void memoryOfCollectivesIsNoDomain() {
        assertThat(new TestRange.Space.Window(1, Long.MIN_VALUE + 2, 0).name())
                .isEqualTo("memory 1 of collectives of rank 0");
    }
}
