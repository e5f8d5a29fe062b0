package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.device.DeviceProbe;
import org.rankunit.engine.cases.DiskCases;
import org.rankunit.pool.PoolConfig;

/** A user with a number and without a name, as of {@code docker run -u 12345}. */
@Tag("ranks")
@Timeout(120)
class UnnamedUserTest {

    private static final int USER = 12345;

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"unset HOME", "export HOME=/"})
    void runsTestsAndFindsNothingOfThemInTheProject(String home) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be somebody else");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv here");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path project = Files.createDirectory(folder.resolve("project"));
        for (Path each : List.of(folder, project)) {
            Files.setAttribute(each, "unix:uid", USER);
        }
        String user = Integer.toString(USER);
        ParentRun.Order order = new ParentRun.Order(folder)
                .readableByAll()
                .in(project)
                .startedBy(List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups"))
                .parameter("rankunit.pool-dir", "auto")
                .parameter("rankunit.durations", "auto");

        // What a probe of a device does too: it has a JVM of its own, with nothing unpacked for it.
        ParentRun run = order.environment("classes", order.classPath())
                .script(home + "; unset XDG_CACHE_HOME; \"$1\" -cp \"$classes\" -Djava.io.tmpdir=" + folder + " "
                        + DeviceProbe.class.getName() + " a2a3sim 0 && exec \"$@\"")
                .run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("SUCCESSFUL a(RankContext)", "SUCCESSFUL b(RankContext)");
        assertThat(project).as(run.printed()).isEmptyDirectory();
        assertThat(folder.resolve("rankunit-cache-" + user).resolve("durations"))
                .isDirectoryContaining("glob:**project-*.json");
        assertThat(folder.resolve("rankunit-" + user + "-sessions")).isEmptyDirectory();
        if (Files.notExists(PoolConfig.SYSTEM_FOLDER)) {
            assertThat(folder.resolve("rankunit-pool-" + user)).isDirectory();
        }
    }
}
