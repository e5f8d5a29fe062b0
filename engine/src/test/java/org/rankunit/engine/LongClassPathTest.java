package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

@Tag("ranks")
@Timeout(120)
class LongClassPathTest {

    private static final String KEY = "surefire.test.class.path";

    /** The most that Linux takes as one argument of a command. */
    private static final int LONGEST_ARGUMENT = 128 * 1024;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class OnRanks {

        @Test
        void hasAllOfIt(RankContext rank) {
            assertThat(System.getProperty("java.class.path")).hasSizeGreaterThan(LONGEST_ARGUMENT);
            rank.barrier();
        }
    }

    @Test
    void aClassPathMayBeLongerThanAnArgumentOfACommand(@TempDir Path temp) throws IOException {
        String usual = System.getProperty(KEY);
        StringBuilder longer = new StringBuilder(usual == null ? System.getProperty("java.class.path") : usual);
        for (int i = 0; longer.length() <= LONGEST_ARGUMENT; i++) {
            longer.append(File.pathSeparatorChar)
                    .append(Files.createDirectory(temp.resolve("folder with 'blanks' and % ".repeat(6) + i)));
        }

        System.setProperty(KEY, longer.toString());
        EngineRun run;
        try {
            run = EngineRun.of(temp, Map.of(), OnRanks.class);
        } finally {
            if (usual == null) {
                System.clearProperty(KEY);
            } else {
                System.setProperty(KEY, usual);
            }
        }

        assertThat(run.results(OnRanks.class)).containsExactly("SUCCESSFUL hasAllOfIt(RankContext)");
    }
}
