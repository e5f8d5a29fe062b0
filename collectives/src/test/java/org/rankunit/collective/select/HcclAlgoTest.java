package org.rankunit.collective.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.collective.call.Collective;

@Tag("unit")
class HcclAlgoTest {

    @Test
    void oneEntryIsForAllCollectives() {
        HcclAlgo algo = HcclAlgo.parse("level0:NA;level1:NHR");

        assertThat(algo.level1(Collective.ALL_REDUCE)).contains("NHR");
        assertThat(algo.level1(Collective.BROADCAST)).contains("NHR");
    }

    @Test
    void severalEntriesAreForTheCollectivesThatTheyName() {
        HcclAlgo algo = HcclAlgo.parse("allreduce=level0:NA;level1:ring/allgather=level0:NA;level1:NB");

        assertThat(algo.level1(Collective.ALL_REDUCE)).contains("ring");
        assertThat(algo.level1(Collective.ALL_GATHER)).contains("NB");
        assertThat(algo.level1(Collective.BROADCAST)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    level1:ring | "level1:ring" is not of the form level0:NA;level1:ALGORITHM
                    level0:NA;level1:pipeline | "pipeline" is not one of ring, H-D_R, NHR, NB
                    level0:ring;level1:ring | is not of the form
                    allreducd=level0:NA;level1:ring | "allreducd" is not a collective
                    level0:NA;level1:ring/level0:NA;level1:NB | is the second entry for the same collective
                    """)
    void whatIsNotOfTheFormIsRefused(String value, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HcclAlgo.parse(value))
                .withMessageStartingWith("HCCL_ALGO = \"" + value + "\": ")
                .withMessageContaining(reason);
    }
}
