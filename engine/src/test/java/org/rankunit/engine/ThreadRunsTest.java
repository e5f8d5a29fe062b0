package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.cases.ThreadCases;
import org.rankunit.engine.cases.ThreadMeetingCases;

/** Threads of a test are ordered by what Java orders them with, and by nothing else. */
@Tag("ranks")
@Timeout(120)
class ThreadRunsTest {

    private static EngineRun run;

    @BeforeAll
    static void runAll(@TempDir Path folder) {
        run = EngineRun.of(
                folder, Map.of(), ThreadCases.Ordered.class, ThreadCases.Unordered.class, ThreadMeetingCases.class);
    }

    @Test
    void whatIsOrderedPasses() {
        assertThat(run.results(ThreadCases.Ordered.class))
                .as(run.messages().toString())
                .hasSize(23)
                .allSatisfy(result -> assertThat(result).startsWith("SUCCESSFUL"));
    }

    @Test
    void whatMeetsWhereItIsNotObviousPassesToo() {
        assertThat(run.results(ThreadMeetingCases.class))
                .hasSize(14)
                .allSatisfy(result -> assertThat(result).startsWith("SUCCESSFUL"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "twoThatWrite",
                "oneThatSleepsAndReads",
                "oneThatLaunches",
                "locksOfTheirOwn",
                "aLatchThatCountsTooEarly",
                "aTaskThatNobodyWaitsFor",
                "aFieldThatSaysNothing"
            })
    void whatIsNotIsARace(String method) {
        assertThat(run.message(ThreadCases.Unordered.class, method + "(RankContext)"))
                .contains("race: two unordered accesses to bytes [0, 16) of `x`");
    }

    /** Of the JVM, whose classes are changed while it runs. */
    @Test
    void nothingIsPrinted() {
        assertThat(run.output()).doesNotContainIgnoringCase("warning");
    }

    /** A method whose class is changed while it runs would lose them. */
    @Test
    void theLinesOfTheFirstTestAreKnown() {
        assertThat(run.message(ThreadCases.Unordered.class, "oneThatLaunches(RankContext)"))
                .contains("written by rank 0, host: a copy at ThreadCases.java:");
    }

    @Test
    void theThreadIsNamed() {
        assertThat(run.message(ThreadCases.Unordered.class, "twoThatWrite(RankContext)"))
                .contains("written by rank 0, thread \"first\": a copy at ThreadCases.java:")
                .contains("written by rank 0, thread \"second\": a copy at ThreadCases.java:");
    }
}
