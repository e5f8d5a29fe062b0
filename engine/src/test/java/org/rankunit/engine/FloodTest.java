package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.DiskCases;
import org.rankunit.engine.cases.FaultCases;

/** A rank that prints more than its parent has memory for. */
@Tag("ranks")
@Timeout(300)
class FloodTest {

    /** More than the heap of any JVM here; the long form is that of a rank which prints in a loop: 1024. */
    private static final int MEGABYTES = Integer.getInteger("flood.megabytes", 64);

    @Test
    void takesDiskAndNoMemory(@TempDir Path folder) throws Exception {
        ParentRun run = new ParentRun.Order(folder)
                .jvmArgument("-Xmx32m")
                .jvmArgument("-Dcases.flood=" + MEGABYTES)
                .run(FaultCases.Flood.class, DiskCases.Plain.class);

        assertThat(run.results())
                .containsExactly(
                        "SUCCESSFUL ofOutput(RankContext)", "SUCCESSFUL a(RankContext)", "SUCCESSFUL b(RankContext)");
        assertThat(run.printed())
                .hasSizeBetween(256 << 10, 300 << 10)
                .contains("… " + ((MEGABYTES << 20) - (256 << 10)) + " more bytes in " + folder.resolve("out/logs"));
    }
}
