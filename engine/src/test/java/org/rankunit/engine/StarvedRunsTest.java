package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.cases.DiskCases;
import org.rankunit.engine.cases.StarvedCases;

/** Machines that do not give a rank what its process needs: each test has one result, which says what was not to be had. */
@Tag("ranks")
@Timeout(120)
class StarvedRunsTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aRankThatTheKernelKillsForWantOfMemoryIsToldToBeProbablySuch() throws Exception {
        // For one rank alone: while what it has killed still ends, the kernel may kill another process of the group.
        ParentRun run = limited(
                        "memory",
                        "mkdir hungry && echo 300M >hungry/memory.limit_in_bytes && echo 0 >hungry/memory.swappiness")
                .run(StarvedCases.OfMemory.class);
        assumeTrue(!run.printed().contains("cannot limit"), "no memory can be limited here");

        assertThat(run.results())
                .containsExactly("FAILED takesAllThereIs(RankContext)", "SUCCESSFUL thenPasses(RankContext)");
        assertThat(run.messages().get(0))
                .startsWith("StarvedCases.OfMemory.takesAllThereIs [2 ranks, a2a3sim] failed on rank 1\n")
                .contains("was killed by SIGKILL (exit code 137); the kernel has killed ")
                .contains(" because memory ran out meanwhile, probably this one: see dmesg. Give the machine or its")
                .contains("rank 0 was released from barrier");
        assertThat(run.printed()).contains("no process left");
    }

    /** With the first number the JVM that starts the ranks lacks threads itself, with the second the ranks do. */
    @ParameterizedTest
    @ValueSource(ints = {19, 30})
    void whereThereMayBeNoMoreThreadsOrProcessesIsTold(int most) throws Exception {
        ParentRun run = limited("pids", "echo " + most + " >pids.max")
                .jvmArgument("-XX:+UseSerialGC")
                .jvmArgument("-XX:TieredStopAtLevel=1")
                .run(DiskCases.Plain.class);
        assumeTrue(!run.printed().contains("cannot limit"), "the number of processes cannot be limited here");

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .allSatisfy(message -> assertThat(message)
                        .containsAnyOf(
                                "unable to create native thread",
                                "Failed to start thread",
                                "error=11, Resource temporarily unavailable"));
        assertThat(run.printed()).contains("no process left");
    }

    @Test
    void windowsThatThisMachineCanNeverHoldAreRefusedWithBothNumbers() {
        EngineRun run = EngineRun.of(folder, Map.of("rankunit.window-size", "1000GiB"), DiskCases.Plain.class);

        assertThat(run.messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message)
                        .containsPattern(
                                "the windows of all ranks take \\d+ bytes of memory on this machine, and .* is \\d+ bytes;"
                                        + " ask for smaller windows.*\\(rankunit\\.window-size = 1000GiB\\)"));
    }

    @Test
    void aJvmThatCannotBeRunIsNamed() throws Exception {
        String java = "\"$(readlink -f \"$1\")\"";
        ParentRun run = new ParentRun.Order(folder)
                .script(String.join(
                        "\n",
                        "exec 3<\"$1\"",
                        "unshare -m true && exec unshare -m sh -c 'mount --bind /dev/null " + java
                                + " && shift && exec /proc/self/fd/3 \"$@\"' sh \"$@\"",
                        "echo cannot mount"))
                .run(DiskCases.Plain.class);
        assumeTrue(!run.printed().contains("cannot mount"), "nothing can be mounted here");

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .allSatisfy(message -> assertThat(message)
                        .contains(": cannot start the ranks: Cannot run program \"" + System.getProperty("java.home"))
                        .endsWith("error=13, Permission denied"));
    }

    /** As a build leaves them that was killed, or that another one overtook. */
    @ParameterizedTest
    @CsvSource({
        "rm, Could not find or load main class org.rankunit.engine.rank.RankMain",
        "truncate -s 0, Truncated class file",
        "truncate -s 100, Truncated class file",
    })
    void classesThatRanksCannotLoadAreNamed(String damage, String told) throws Exception {
        Path engine = Path.of(
                Run.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path broken = copied(engine);
        ParentRun run = new ParentRun.Order(folder)
                .classesOf(engine, broken)
                .script(damage + " " + broken.resolve("org/rankunit/engine/rank/RankMain.class") + "\nexec \"$@\"")
                .run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .allSatisfy(message -> assertThat(message)
                        .containsPattern(
                                "rank [01] \\(device [01]\\) exited with code 1 before it was up; the last lines of "
                                        + folder.resolve("out/logs"))
                        .contains(told));
    }

    @Test
    void moreHeapThanThereIsIsToldByTheJvm() throws Exception {
        ParentRun run = new ParentRun.Order(folder)
                .parameter("rankunit.jvm-args", "-Xmx900000g")
                .run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .allSatisfy(message -> assertThat(message)
                        .contains("exited with code 1 before it was up", "Could not reserve enough space for"));
    }

    /** Below a control group of its own; what is left in it afterwards would be left by the run. */
    private ParentRun.Order limited(String controller, String limit) {
        String groups = "/sys/fs/cgroup/" + controller;
        return new ParentRun.Order(folder)
                .script(String.join(
                        "\n",
                        "own=$(mktemp -d " + groups + "/rankunit-XXXXXX) && cd $own && " + limit + " || {",
                        "  echo cannot limit",
                        "  rmdir $own",
                        "  exit 77",
                        "}",
                        "cd - >/dev/null",
                        "export " + StarvedCases.OfMemory.GROUP + "=$own/hungry",
                        "(echo 0 >$own/cgroup.procs && exec \"$@\")",
                        "! [ -d $own/hungry ] || rmdir $own/hungry",
                        "rmdir $own && echo no process left"));
    }

    /** A folder, whether they are in one or in a jar. */
    private Path copied(Path classes) throws IOException {
        Path copy = folder.resolve("classes");
        if (Files.isDirectory(classes)) {
            copyTree(classes, copy);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(classes)) {
                copyTree(jar.getPath("/"), copy);
            }
        }
        return copy;
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }
}
