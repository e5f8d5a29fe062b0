package org.rankunit.engine.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class StartOptionsTest {

    private static final String FAST_COMPILER = "-XX:TieredStopAtLevel=1";

    @ParameterizedTest
    @CsvSource({"2, 1, false", "2, 2, true", "4, 2, false", "4, 3, true", "64, 8, false", "8, 8, true"})
    void ranksDoWithTheFastCompilerWhereTheyOutnumberHalfOfTheCores(int cores, int ranks, boolean fast) {
        assertThat(new StartOptions(List.of(), cores, false).ofGroup(ranks).contains(FAST_COMPILER))
                .isEqualTo(fast);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:TieredStopAtLevel=4",
                "-XX:-TieredCompilation",
                "-XX:CompileThresholdScaling=2",
                "-XX:CompilationMode=high-only",
                "-XX:CICompilerCount=2",
                "-Xint",
                "-Xcomp"
            })
    void whoeverChoosesACompilerHasIt(String choice) {
        assertThat(new StartOptions(List.of(choice), 2, false).ofGroup(8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseG1GC, -XX:+UseSerialGC",
        "-XX:+UseZGC, -XX:+UseSerialGC",
        "-Xms1g, -Xms24m",
        "-XX:InitialHeapSize=1g, -Xms24m",
        "-XX:ArchiveRelocationMode=1, -XX:ArchiveRelocationMode=0",
        "-XX:ErrorLogTimeout=60, -XX:ErrorLogTimeout=5",
        "--enable-native-access=some.module, --enable-native-access=ALL-UNNAMED"
    })
    void aChoiceOfTheUserReplacesOurs(String choice, String ours) {
        assertThat(new StartOptions(List.of(), 2, false).ofAll()).contains(ours);
        assertThat(new StartOptions(List.of(choice), 2, false).ofAll()).doesNotContain(ours);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jna.platform.library.path", "java.nio.channels.spi.SelectorProvider"})
    void aPropertyThatTheUserSetsIsNotSetAgain(String property) {
        assertThat(new StartOptions(List.of(), 2, false).ofAll())
                .anyMatch(option -> option.startsWith("-D" + property + "="));
        assertThat(new StartOptions(List.of("-D" + property + "=x"), 2, false).ofAll())
                .noneMatch(option -> option.startsWith("-D" + property + "="));
    }

    @Test
    void ranksCheckAssertionsWhereThisJvmDoes() {
        assertThat(new StartOptions(List.of(), 2, true).ofAll()).contains("-ea");
        assertThat(new StartOptions(List.of(), 2, false).ofAll()).doesNotContain("-ea");
        assertThat(new StartOptions(List.of("-da:org.example..."), 2, true).ofAll())
                .doesNotContain("-ea");
    }

    @Test
    void noHeapIsLimited() {
        assertThat(new StartOptions(List.of(), 2, false).ofAll()).noneMatch(option -> option.startsWith("-Xmx"));
    }
}
