package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.cases.DiskCases;
import org.rankunit.engine.cases.FaultCases;

/** Folders that cannot be written, before a run or from some moment on: each test has one result, which says where and why. */
@Tag("ranks")
@Timeout(120)
class DiskFullTest {

    private static final String FULL = "No space left on device";

    private static List<String> ownMounts = List.of();

    @TempDir
    private Path folder = Path.of("");

    private Path disk = Path.of("");

    /** How a disk is made that nothing can be written to. */
    private enum Broken {
        NO_BLOCKS("dd if=/dev/zero of=\"$disk/filled\" bs=4k 2>/dev/null", FULL),
        NO_NAMES("(i=0; while : >\"$disk/name$i\"; do i=$((i+1)); done) 2>/dev/null", FULL),
        READ_ONLY("mount -o remount,ro \"$disk\"", "Read-only file system");

        private final String script;
        private final String told;

        Broken(String script, String told) {
            this.script = script;
            this.told = told;
        }
    }

    @BeforeAll
    static void findOutWhoMayMount() throws Exception {
        for (String way : List.of("-m", "-rm")) {
            if (ownMounts.isEmpty() && succeeds("unshare", way, "mount", "-t", "tmpfs", "none", "/mnt")) {
                ownMounts = List.of("unshare", way);
            }
        }
        assumeTrue(!ownMounts.isEmpty(), "no file system can be mounted here, not even in a name space of its own");
    }

    @BeforeEach
    void makeTheMountPoint() throws IOException {
        disk = Files.createDirectory(folder.resolve("disk"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_BLOCKS", "NO_NAMES", "READ_ONLY"})
    void aSessionFolderThatCannotBeWrittenFailsEachTest(Broken broken) throws Exception {
        ParentRun run = before(broken).jvmArgument("-Djava.io.tmpdir=" + disk).run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message)
                        .startsWith("no rank can be started: cannot ")
                        .contains(disk + "/rankunit-", " (java.io.tmpdir): ", broken.told)
                        .endsWith(". Make room there, or set java.io.tmpdir."));
        assertThat(left(run)).isSubsetOf("filled", sessions());
        assertThat(folder.resolve("out/report.json")).content().contains(broken.told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_BLOCKS", "NO_NAMES", "READ_ONLY"})
    void aPoolThatCannotBeWrittenFailsEachTest(Broken broken) throws Exception {
        Path pool = disk.resolve("pool");
        ParentRun run =
                before(broken).parameter("rankunit.pool-dir", pool.toString()).run(DiskCases.Plain.class);

        String why = broken == Broken.READ_ONLY ? "may not write in " + disk : broken.told;
        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message)
                        .contains(pool.toString(), ": ", why, ".\n", "Set rankunit.pool-dir to a folder of your own"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_NAMES", "READ_ONLY"})
    void logsThatCannotBeMadeFailEachTest(Broken broken) throws Exception {
        ParentRun run =
                before(broken).parameter("rankunit.output-dir", disk.toString()).run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages().subList(0, 2))
                .allSatisfy(message -> assertThat(message)
                        .endsWith(": cannot write the logs of the ranks: " + disk + "/logs: " + broken.told
                                + ". Make room there, or set rankunit.output-dir."));
        assertThat(run.messages().subList(2, 3)).containsExactly(noReport(disk + "/.report.lock: " + broken.told));
    }

    /** The build must not be green: whoever reads the report would read an older one, or none. */
    @Test
    void aReportThatCannotBeWrittenFailsTheEngineAndLeavesNoHalf() throws Exception {
        ParentRun run = before(Broken.NO_BLOCKS)
                .parameter("rankunit.output-dir", disk.toString())
                .run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("SUCCESSFUL a(RankContext)", "SUCCESSFUL b(RankContext)");
        assertThat(run.messages()).containsExactly(noReport(FULL));
        assertThat(left(run)).containsExactly(".report.lock", "filled", "logs");
    }

    @Test
    void aTemporaryFolderThatIsMountedNoexecIsNamedWithWhatToDo() throws Exception {
        ParentRun run =
                onDisk("noexec", ":").jvmArgument("-Djava.io.tmpdir=" + disk).run(DiskCases.Plain.class);

        assertThat(run.results()).containsExactly("FAILED a(RankContext)", "FAILED b(RankContext)");
        assertThat(run.messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message)
                        .containsPattern(
                                disk + "/\\S+ is on a file system that is mounted noexec, from which nothing can be"
                                        + " loaded\\. Set java\\.io\\.tmpdir to a folder elsewhere\\."));
    }

    @Test
    void aDiskThatRunsFullDuringTheRunFailsWhatNeedsItFromThenOn() throws Exception {
        // Without devices to spare the next group has those of the last one, whose files are there.
        ParentRun run = everythingOnTheDisk()
                .parameter("rankunit.sim.devices", "2")
                .run(DiskCases.Filling.class, DiskCases.Plain.class);

        assertThat(run.results())
                .containsExactly(
                        "SUCCESSFUL a(RankContext)",
                        "FAILED fillsTheDisk(RankContext)",
                        "FAILED lacksSpace(RankContext)",
                        "FAILED a(RankContext)",
                        "FAILED b(RankContext)");
        assertThat(run.messages().get(0)).contains("failed on rank 1", FULL);
        assertThat(run.messages().subList(1, 4))
                .allSatisfy(message -> assertThat(message)
                        .contains(": cannot prepare the control channel in " + disk, " (java.io.tmpdir): ", FULL));
        // The session has made room for it.
        assertThat(run.messages()).hasSize(4);
        assertThat(left(run))
                .containsExactlyInAnyOrder(
                        ".report.lock", "filled", "index.html", "logs", "pool", "report.json", sessions());
        assertThat(run.printed()).contains("sessions left: 0", "owners left: 0");
    }

    @Test
    void aRankThatFillsTheDiskWithItsOutputGoesOnAndTheTestSaysWhatIsLost() throws Exception {
        ParentRun run = everythingOnTheDisk().run(FaultCases.Flood.class, DiskCases.Plain.class);

        assertThat(run.results())
                .containsExactly(
                        "SUCCESSFUL ofOutput(RankContext)", "SUCCESSFUL a(RankContext)", "SUCCESSFUL b(RankContext)");
        assertThat(run.printed())
                .containsPattern("\\[rank 1\\] … no space is left on the disk of " + disk
                        + "/logs/\\w+/group-1-rank-1.log: later output is lost\n");
        assertThat(run.printed()).contains("sessions left: 0", "owners left: 0");
    }

    private ParentRun.Order before(Broken broken) {
        return onDisk("size=2m,nr_inodes=40", broken.script);
    }

    private ParentRun.Order everythingOnTheDisk() {
        return onDisk("size=6m,nr_inodes=200", ":")
                .jvmArgument("-Djava.io.tmpdir=" + disk)
                .jvmArgument("-Dcases.disk=" + disk)
                .parameter("rankunit.pool-dir", disk.resolve("pool").toString())
                .parameter("rankunit.output-dir", disk.toString());
    }

    /** The disk is seen by this run alone and gone with it, so its shell looks at what is left there. */
    private ParentRun.Order onDisk(String options, String fill) {
        return new ParentRun.Order(folder)
                .startedBy(ownMounts)
                .environment("disk", disk.toString())
                .script(String.join(
                        "\n",
                        "mount -t tmpfs -o " + options + " none \"$disk\" || exit 9",
                        fill,
                        "\"$@\"",
                        "find \"$disk\" -mindepth 1 -maxdepth 1 ! -name 'name*' | sort | sed 's#.*/#left: #'",
                        "echo \"sessions left: $(find \"$disk\"/*-sessions -mindepth 1 | wc -l)\"",
                        "echo \"owners left: $(find \"$disk\" -name '*.owner' | wc -l)\""));
    }

    private static List<String> left(ParentRun run) throws IOException {
        return run.printed()
                .lines()
                .filter(line -> line.startsWith("left: "))
                .map(line -> line.substring("left: ".length()))
                .toList();
    }

    private String noReport(String why) {
        return disk + "/report.json cannot be written and does not contain this run: " + why
                + ". Make room there, or set rankunit.output-dir.";
    }

    private static String sessions() {
        return "rankunit-" + System.getProperty("user.name") + "-sessions";
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
