package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.EndlessCases;
import org.rankunit.engine.cases.ide.IdeCases;
import org.rankunit.engine.launch.local.RunLeftovers;

/** The client of a real IDE: Eclipse's test runner, with the requests that the IDE sends. */
@Tag("ranks")
@Timeout(120)
class EclipseTest {

    private static final int RANKS = 2;
    private static final String NAME = IdeCases.class.getName();
    private static final String[] ALL = {
        "passed ordinary()",
        "passed passes(RankContext)",
        "passed with 10",
        "passed with 20",
        "passed with 30",
        "FAILED wrong(RankContext)"
    };

    @TempDir
    Path folder;

    @Test
    void aClassRunsWithItsOrdinaryTestsAndItsDeviceTests() throws Exception {
        try (EclipseRun run = EclipseRun.start(folder, "-classNames", NAME).toItsEnd()) {
            assertThat(run.results()).containsExactlyInAnyOrder(ALL);
            assertThat(run.end()).isEqualTo("%RUNTIME");
            assertThat(run.nodes().map(EclipseRun.Node::name)).contains("passes(" + NAME + ")");
            assertThat(run.text("wrong(RankContext)", "EXPECT")).isEqualTo("[1] 2.0\n[2] 3.0\n\n[1] 2.0\n[2] 3.0");
            assertThat(run.text("wrong(RankContext)", "ACTUAL")).isEqualTo("[1] 0.0\n[2] 4.0\n\n[1] 0.0\n[2] 4.0");
            assertThat(run.text("wrong(RankContext)", "TRACE"))
                    .contains("output: 2 of 3 elements differ", "IdeCases.wrong(IdeCases.java:");
        }
    }

    @Test
    void aPackageRuns() throws Exception {
        Path packages = Files.writeString(folder.resolve("packages"), IdeCases.class.getPackageName() + "\n");

        try (EclipseRun run = EclipseRun.start(folder, "-packageNameFile", packages.toString())
                .toItsEnd()) {
            assertThat(run.results()).containsExactlyInAnyOrder(ALL);
            assertThat(run.end()).isEqualTo("%RUNTIME");
        }
    }

    @Test
    void aMethodRunsAloneAndOneOfItsInvocationsByTheIdThatTheRunBeforeHasTold() throws Exception {
        List<String> ids;
        try (EclipseRun run = EclipseRun.start(folder, "-test", NAME + ":values(int,org.rankunit.RankContext)")
                .toItsEnd()) {
            assertThat(run.results()).containsExactly("passed with 10", "passed with 20", "passed with 30");
            ids = run.nodes()
                    .filter(node -> node.displayName().equals("with 20"))
                    .map(EclipseRun.Node::uniqueId)
                    .toList();
        }
        assertThat(ids).hasSize(1);

        try (EclipseRun run = EclipseRun.start(folder, "-classNames", NAME, "-uniqueId", ids.get(0))
                .toItsEnd()) {
            assertThat(run.results()).containsExactly("passed with 20");
            assertThat(run.end()).isEqualTo("%RUNTIME");
        }
    }

    @Test
    void aRunThatIsStoppedEndsAndLeavesNothingBehind() throws Exception {
        try (RunLeftovers leftovers = RunLeftovers.watch(folder);
                EclipseRun run = EclipseRun.start(folder, "-classNames", EndlessCases.class.getName())) {
            run.awaitStartOf("one more");

            run.stop();

            assertThat(run.toItsEnd().end()).as("the message after all tests").isNull();
            assertThat(run.printed()).contains("stopped by user");
            assertThat(leftovers.all(RANKS)).isEmpty();
        }
    }
}
