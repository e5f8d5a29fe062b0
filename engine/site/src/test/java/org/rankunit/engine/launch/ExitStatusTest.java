package org.rankunit.engine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class ExitStatusTest {

    @ParameterizedTest
    @CsvSource({
        "0, exited with code 0",
        "7, exited with code 7",
        "113, lost its control channel (exit code 113)",
        "128, exited with code 128",
        "148, exited with code 148",
        "133, was killed by SIGTRAP (exit code 133)",
        "142, was killed by SIGALRM (exit code 142)",
        "152, was killed by SIGXCPU (exit code 152)",
        "159, was killed by SIGSYS (exit code 159)",
        "129, was killed by SIGHUP (exit code 129)",
        "130, was killed by SIGINT (exit code 130)",
        "134, was killed by SIGABRT (exit code 134)",
        "135, was killed by SIGBUS (exit code 135)",
        "136, was killed by SIGFPE (exit code 136)",
        "137, was killed by SIGKILL (exit code 137)",
        "139, was killed by SIGSEGV (exit code 139)",
        "143, was killed by SIGTERM (exit code 143)",
        "255, exited with code 255"
    })
    void aSignalIsNamedAndAnyOtherCodeGiven(int code, String text) {
        assertThat(new ExitStatus(code).describe()).isEqualTo(text);
    }
}
