package org.rankunit.engine.rank.parent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.comm.jna.OsProcessGroup;

@Tag("ranks")
@Timeout(60)
class ParentWatchTest {

    /** A process that hears of its group only when it is ending. */
    static final class Ending {

        private Ending() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                ParentWatch.endWith(OsProcessGroup.lead());
                System.out.println("went on");
            }));
        }
    }

    /** Or else a rank that is killed while it comes up would be told to have failed by what it can no more do. */
    @Test
    void aRankThatIsEndingAlreadyDoesNotFailForThat() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            // Which would warn of what JNA does.
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Ending.class.getName()));
        Process ending = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(ending.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).isEqualTo("rankunit: this rank is ending while it comes up\nwent on\n");
        assertThat(ending.waitFor()).isZero();
    }
}
