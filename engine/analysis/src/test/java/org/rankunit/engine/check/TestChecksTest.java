package org.rankunit.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.config.SimulatorSettings.Checks;
import org.rankunit.engine.config.SimulatorSettings.Unchecked;
import org.rankunit.engine.timeline.LogWriter;

@Tag("unit")
class TestChecksTest {

    @TempDir
    private Path folder;

    private List<String> findings(Checks checks, Unchecked unchecked, boolean passed) throws IOException {
        Path full = folder.resolve("full");
        new LogWriter().drop(1).write(full);
        return new TestChecks(
                        new SimulatorSettings(checks, unchecked, 2L << 30, Optional.empty(), Optional.empty()),
                        text -> text)
                .findings(List.of(full), "id", "A.a", passed);
    }

    @Test
    void aTestThatPassesAndCannotBeCheckedFails() throws IOException {
        assertThat(findings(Checks.RANGES, Unchecked.FAIL, true))
                .containsExactly(
                        "not checked for races: the log of rank 0 is full; give it more room (rankunit.sim.record-size), or let"
                                + " the test do less\n"
                                + "    A wrong program would pass. rankunit.sim.unchecked=warn lets the test pass, and"
                                + " rankunit.sim.check=off checks nothing.");
        assertThat(findings(Checks.BYTES, Unchecked.FAIL, true)).hasSize(1);
    }

    @Test
    void oneThatFailedSaysItsOwn() throws IOException {
        assertThat(findings(Checks.RANGES, Unchecked.FAIL, false)).isEmpty();
    }

    @Test
    void itPassesIfTheUserWantsThatOrNoCheck() throws IOException {
        assertThat(findings(Checks.RANGES, Unchecked.WARN, true)).isEmpty();
        assertThat(findings(Checks.OFF, Unchecked.FAIL, true)).isEmpty();
    }
}
