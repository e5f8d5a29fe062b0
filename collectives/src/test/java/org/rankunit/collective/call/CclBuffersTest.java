package org.rankunit.collective.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;

@Tag("unit")
class CclBuffersTest {

    @ParameterizedTest
    @CsvSource({"1, 1048576", "200, 209715200", "1048576, 1099511627776"})
    void theVariableIsASizeInMebibytes(String text, long bytes) {
        assertThat(CclBuffers.bytesOf(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "200MB", "1048577", " 1", "99999999999999999999"})
    void aVariableThatIsNoSizeIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CclBuffers.bytesOf(text))
                .withMessage("HCCL_BUFFSIZE = \"" + text
                        + "\": expected the size of a CCL buffer in MiB, from 1 to 1048576");
    }

    @Test
    void aCallHasBuffersOfThisSizeIfNothingElseIsSaid() {
        assertThat(CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 1).cclBytes())
                .isEqualTo(CclBuffers.bytes());
    }
}
