package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks in JVMs that MPI starts, over the backend for MPI: to Java it is a library like any other. */
@Tag("ranks")
@Timeout(120)
class MpiRanksTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "openmpi, mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none, OMPI_COMM_WORLD_RANK",
        "mpich,   mpirun.mpich,                                                     PMI_RANK"
    })
    void everyRankSeesEveryWindow(String mpi, String launcher, String rank) throws Exception {
        Path library =
                Path.of("target/native/src/main/cpp/librankunit_" + mpi + ".so").toAbsolutePath();
        assumeTrue(Files.exists(library), "there is no " + mpi);
        String java = Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1"
                + " --enable-native-access=ALL-UNNAMED -D" + RankScenario.LIBRARY + "=\"" + library + "\" -cp \""
                + System.getProperty("java.class.path") + "\" '" + RankScenario.Main.class.getName() + "' EXCHANGE $"
                + rank
                + " 2 \"" + folder.resolve("root") + "\"";
        List<String> command = new ArrayList<>(List.of(launcher.split(" ", -1)));
        command.addAll(List.of("-n", "2", "sh", "-c", "exec " + java));
        Path output = folder.resolve("output");
        Process ranks = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(ranks.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            ranks.destroyForcibly();
        }
        assertThat(Files.readAllLines(output, StandardCharsets.UTF_8).stream().map(String::strip))
                .containsExactly("100 101", "100 101");
    }
}
