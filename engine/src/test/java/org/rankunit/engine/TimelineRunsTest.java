package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.TimelineCases;
import org.rankunit.engine.launch.local.RunLeftovers;
import org.rankunit.engine.timeline.trace.TraceCheck;

/** Whole runs on the simulator whose ranks record what happens on their devices. */
@Tag("ranks")
@Timeout(120)
class TimelineRunsTest {

    private static final Class<?> SIGNALS = TimelineCases.Signals.class;
    private static final Class<?> CRASH = TimelineCases.Crash.class;

    @TempDir
    Path folder;

    private RunLeftovers leftovers;

    @BeforeEach
    void watch() throws IOException {
        leftovers = RunLeftovers.watch(folder);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(leftovers.all(16)).isEmpty();
        leftovers.close();
    }

    private EngineRun run(String timeline, Class<?> type) {
        return EngineRun.of(folder, Map.of("rankunit.timeline", timeline), type);
    }

    private List<Path> timelines() throws IOException {
        Path traces = folder.resolve("out/trace");
        if (!Files.exists(traces)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(traces)) {
            return files.sorted().toList();
        }
    }

    @Test
    void aTestThatFailedHasATimelineThatShowsWhichSignalEndedWhichWait() throws IOException {
        EngineRun run = run("failed", SIGNALS);

        assertThat(run.results(SIGNALS))
                .containsExactly("SUCCESSFUL aPasses(RankContext)", "FAILED bFails(RankContext)");
        assertThat(timelines()).hasSize(1);
        Path file = timelines().get(0);
        assertThat(run.message(SIGNALS, "bFails(RankContext)")).contains("\n  timeline: " + file + "\n");
        Path report = folder.resolve("out/report.json");
        assertThat(report).content().contains("\"timeline\" : \"trace/" + file.getFileName() + "\"");
        assertThat(ReportSchema.violations(report)).isEmpty();
        TraceCheck trace = TraceCheck.of(file);
        for (int rank = 0; rank < 2; rank++) {
            assertThat(trace.slices(rank))
                    .contains("stream 2: copy 4 bytes", "stream 2: signal", "stream 2: wait for cells")
                    .contains("host: bring up", "host: barrier")
                    .anyMatch(slice -> slice.startsWith("host: barrier #"))
                    .anyMatch(slice -> slice.startsWith("host: ") && slice.contains("bFails"))
                    .noneMatch(slice -> slice.contains("aPasses"));
        }
        assertThat(trace.slices(1_000)).contains("test: critical path of the test");
        assertThat(trace.otherData()).contains("\"busy on rank 1\":\"stream 2 ");
        assertThat(trace.arrows("signal"))
                .containsExactlyInAnyOrder(
                        "0 stream 2: signal -> 1 stream 2: wait for cells",
                        "1 stream 2: signal -> 0 stream 2: wait for cells");
    }

    @Test
    void withOnEveryTestHasATimelineAndWithOffNone() throws IOException {
        run("off", SIGNALS);
        assertThat(timelines()).isEmpty();

        run("on", SIGNALS);
        assertThat(timelines()).hasSize(2);
        for (Path file : timelines()) {
            TraceCheck.of(file);
        }
    }

    @Test
    void aRankThatDiedHasATimelineUntilItsDeath() throws IOException {
        EngineRun run = run("failed", CRASH);

        assertThat(run.results(CRASH)).containsExactly("FAILED crashes(RankContext)");
        TraceCheck trace = TraceCheck.of(timelines().get(0));
        assertThat(trace.slices(0)).contains("stream 1: zero 4 bytes");
        assertThat(trace.slices(1)).contains("stream 1: zero 4 bytes");
    }
}
