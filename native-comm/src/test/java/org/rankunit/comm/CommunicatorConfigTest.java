package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class CommunicatorConfigTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0 | 0  | PT1S   | worldSize = 0 is not in [1, 64]",
                "0 | 65 | 0  | PT1S   | worldSize = 65 is not in [1, 64]",
                "2 | 2 | 0  | PT1S   | rank = 2 is not in [0, worldSize = 2)",
                "-1 | 2 | 0  | PT1S   | rank = -1 is not in [0, worldSize = 2)",
                "0 | 2 | -1 | PT1S   | windowBytes = -1 is negative",
                "0 | 2 | 0  | PT0S   | timeout = PT0S is not in (0, 31 days]",
                "0 | 2 | 0  | PT-1S  | timeout = PT-1S is not in (0, 31 days]",
                "0 | 2 | 0  | PT745H | timeout = PT745H is not in (0, 31 days]",
            })
    void aWrongValueIsNamedWithItsRange(int rank, int worldSize, long window, Duration timeout, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new CommunicatorConfig(rank, worldSize, new Rendezvous.File(Path.of("root")), window, timeout))
                .withMessage(message);
    }
}
