package org.rankunit.engine.slurm.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done on a node, in a real shell. */
@Tag("ranks")
@Timeout(60)
class NodeScriptsTest {

    @TempDir
    Path folder;

    private Path root;
    private Path libraries;
    private List<ClassPathEntry> entries;

    private record Ended(int exit, String printed) {}

    @BeforeEach
    void writeFiles() throws IOException {
        root = folder.resolve("tmp/rankunit-user-nodes");
        libraries = Files.createDirectory(folder.resolve("native"));
        Files.writeString(libraries.resolve("libx.so"), "library");
        Path classes = Files.createDirectories(folder.resolve("target/test classes/p"));
        Files.writeString(classes.resolve("A.class"), "A");
        Files.writeString(folder.resolve("a.jar"), "jar");
        Files.writeString(folder.resolve("same.jar"), "jar");
        entries = List.of(
                ClassPathEntry.of(folder.resolve("target/test classes"), 0),
                ClassPathEntry.of(folder.resolve("a.jar"), 1),
                ClassPathEntry.of(folder.resolve("same.jar"), 2));
    }

    private Ended shell(String script, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "rankunit"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SLURMD_NODENAME", "node1");
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), printed);
    }

    private List<String> digests() {
        return entries.stream().map(ClassPathEntry::digest).distinct().toList();
    }

    private Ended begin(Path run) throws Exception {
        return shell(
                NodeScripts.BEGIN,
                Stream.concat(Stream.of(root.toString(), run.toString()), digests().stream())
                        .toList());
    }

    /** Returns the digests that had to be copied. */
    private Set<String> copyTo(Path run) throws Exception {
        Ended begun = begin(run);
        assertThat(begun.exit()).as(begun.printed()).isZero();
        Set<String> needed = begun.printed().lines().collect(Collectors.toSet());
        Path own = Files.createDirectory(folder.resolve("packed-" + run.getFileName()));
        Files.copy(new FilesForNodes(entries, libraries, "-cp\nx\n").pack(needed, own), run.resolve("files.tar"));
        Ended unpacked = shell(NodeScripts.UNPACK, List.of(root.toString(), run.toString()));
        assertThat(unpacked.exit()).as(unpacked.printed()).isZero();
        return needed;
    }

    private void end(Path run) throws Exception {
        assertThat(shell(NodeScripts.END, List.of(root.toString(), run.toString())))
                .isEqualTo(new Ended(0, ""));
    }

    private static void assertHasAll(Path run) {
        assertThat(run.resolve("native/libx.so")).hasContent("library");
        assertThat(run.resolve("classpath.args")).hasContent("-cp\nx\n");
        assertThat(run.resolve("classpath/0-test classes/p/A.class")).hasContent("A");
        assertThat(run.resolve("classpath/1-a.jar")).hasContent("jar");
        assertThat(run.resolve("classpath/2-same.jar")).hasContent("jar");
    }

    @Test
    void theSameContentIsCopiedOnceAndAllIsRemovedAtTheEnd() throws Exception {
        Path run = root.resolve("1");

        assertThat(copyTo(run)).hasSize(2).containsExactlyInAnyOrderElementsOf(digests());
        assertHasAll(run);
        assertThat(Files.getPosixFilePermissions(root)).hasSize(3);

        end(run);
        assertThat(root).doesNotExist();
    }

    @Test
    void runsAtTheSameTimeShareWhatTheyHaveInCommon() throws Exception {
        Path first = root.resolve("1");
        Path second = root.resolve("2");
        copyTo(first);

        assertThat(copyTo(second)).isEmpty();
        end(first);
        assertHasAll(second);
        Path third = root.resolve("3");
        assertThat(copyTo(third)).isEmpty();

        end(second);
        end(third);
        assertThat(root).doesNotExist();
    }

    @Test
    void whatARunOfYesterdayLeftBehindIsRemoved() throws Exception {
        Path old = root.resolve("old");
        copyTo(old);
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));

        Path run = root.resolve("1");
        copyTo(run);

        assertThat(old).doesNotExist();
        assertHasAll(run);
    }

    @Test
    void aFolderThatTwoNodesShareIsRefused() throws Exception {
        Path run = root.resolve("1");
        begin(run);

        Ended other = begin(run);

        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.printed())
                .contains("node1: another node has created " + run + ": it must be a folder local to each node");
    }

    @Test
    void aFolderOfSomebodyElseIsRefused() throws Exception {
        Files.createDirectories(root.getParent());
        Files.createSymbolicLink(root, Files.createDirectory(folder.resolve("trap")));

        Ended refused = begin(root.resolve("1"));

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.printed())
                .contains("node1: " + root + " cannot be created, or is not a folder of this user");
        assertThat(folder.resolve("trap")).isEmptyDirectory();
    }

    @Test
    void aNodeNamesWhatItDoesNotSee() throws Exception {
        assertThat(shell(NodeScripts.LOOK, List.of("/etc", folder.resolve("a b").toString(), "/")))
                .isEqualTo(new Ended(0, "node1 " + folder.resolve("a b") + "\n"));
    }

    @Test
    void theDigestOfAFolderIsThatOfItsContent() throws Exception {
        Path copy = folder.resolve("copy");
        Path classes = Files.createDirectories(copy.resolve("p"));
        Files.writeString(classes.resolve("A.class"), "A");
        String digest = entries.get(0).digest();

        assertThat(ClassPathEntry.of(copy, 0).digest()).isEqualTo(digest);
        Files.move(classes.resolve("A.class"), classes.resolve("B.class"));
        assertThat(ClassPathEntry.of(copy, 0).digest()).isNotEqualTo(digest);
    }
}
