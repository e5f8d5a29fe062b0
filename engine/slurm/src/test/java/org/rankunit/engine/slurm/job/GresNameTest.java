package org.rankunit.engine.slurm.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class GresNameTest {

    @Test
    void aNameAloneHasNoType() {
        assertThat(GresName.parse("npu")).isEqualTo(new GresName("npu", Optional.empty()));
    }

    @Test
    void whatFollowsTheColonIsTheType() {
        assertThat(GresName.parse("gpu:ascend910b")).isEqualTo(new GresName("gpu", Optional.of("ascend910b")));
    }

    @Test
    void aTypeMayBeginWithADigit() {
        assertThat(GresName.parse("npu:910B3").type()).contains("910B3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"npu", "gpu:ascend910b", "npu:910B3"})
    void aRequestHasNameTypeAndCount(String name) {
        assertThat(GresName.parse(name).request(2)).isEqualTo(name + ":2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " npu", "npu ", ":npu", "npu:", "npu,gpu", "npu:a:2", "1npu", "npu;id", "npu=1", "npu:a b", "-n"
            })
    void whatSlurmCouldNotReadIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GresName.parse(text))
                .withMessageContaining("of a generic resource of Slurm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"npu:4", "npu:2K"})
    void aCountIsNoType(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GresName.parse(text))
                .withMessageContaining("is a count");
    }
}
