package org.rankunit.engine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.ProcessMark;

@Tag("ranks")
@Timeout(60)
class SessionFolderTest {

    private String usualFolder = "";

    @BeforeEach
    void useAFolderOfItsOwn(@TempDir Path temp) {
        usualFolder = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", temp.toString());
    }

    @AfterEach
    void useTheUsualFolderAgain() {
        System.setProperty("java.io.tmpdir", usualFolder);
    }

    /** Another JVM with a session of its own, which it says on its output. */
    static final class Foreign {

        private Foreign() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws IOException {
            SessionFolder session = SessionFolder.create();
            System.out.println(session.path());
            int unused = System.in.read();
            session.close();
        }
    }

    @Test
    void onlyItsOwnerCanReadIt() throws IOException {
        try (SessionFolder session = SessionFolder.create()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(session.path())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aGroupsFolderIsPrivateToo() throws IOException {
        try (SessionFolder session = SessionFolder.create()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(session.groupFolder(3))))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void closingTakesEverythingInItAway() throws IOException {
        SessionFolder session = SessionFolder.create();
        Files.writeString(session.groupFolder(1).resolve("rootinfo"), "x");

        session.close();

        assertThat(session.path()).doesNotExist();
    }

    @Test
    void theFolderOfADeadRunIsSwept() throws Exception {
        Process dead = foreign();
        Path folder = sessionOf(dead);
        dead.destroyForcibly().waitFor(30, TimeUnit.SECONDS);

        SessionFolder.create().close();

        assertThat(folder).doesNotExist();
    }

    @Test
    void whatADeadRunHasLeftRunningIsEnded() throws Exception {
        Process dead = foreign();
        Path folder = sessionOf(dead);
        dead.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        Process left = markedBy(ProcessMark.ofRank(folder.resolve("g1"), 0));
        Process strangers =
                markedBy(ProcessMark.ofRank(folder.resolveSibling("other").resolve("g1"), 0));
        try {
            SessionFolder.create().close();

            assertThat(left.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(strangers.isAlive()).isTrue();
        } finally {
            left.destroyForcibly();
            strangers.destroyForcibly();
        }
    }

    private static Process markedBy(ProcessMark mark) throws IOException {
        ProcessBuilder sleep = new ProcessBuilder("sleep", "1000");
        mark.putInto(sleep.environment());
        return sleep.start();
    }

    @Test
    void theFolderOfALivingRunIsLeftAlone() throws Exception {
        Process living = foreign();
        try {
            Path folder = sessionOf(living);

            SessionFolder.create().close();

            assertThat(folder).isDirectory();
        } finally {
            living.destroyForcibly();
        }
    }

    @Test
    void aSecondRunInTheSameJvmDoesNotGiveTheFirstAway() throws Exception {
        try (SessionFolder first = SessionFolder.create()) {
            SessionFolder.create().close();

            Process other = foreign();
            sessionOf(other);
            other.destroyForcibly();

            assertThat(first.path()).isDirectory();
        }
    }

    @Test
    void aLinkInPlaceOfItIsRefusedAndNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path kept = Files.createFile(elsewhere.resolve("kept"));
        Files.createSymbolicLink(sessions(), elsewhere);

        assertThatThrownBy(SessionFolder::create).hasMessageContaining(sessions() + " is not a folder");
        assertThat(kept).exists();
        assertThat(Files.getPosixFilePermissions(elsewhere)).isNotEmpty();
    }

    @Test
    void aFolderThatSomebodyElseMadeIsRefused() throws IOException {
        assumeTrue(Files.isWritable(Path.of("/etc/passwd")), "only root can give a folder away");
        Files.createDirectory(sessions());
        Files.setAttribute(sessions(), "unix:uid", 65534);

        assertThatThrownBy(SessionFolder::create)
                .hasMessageContaining(sessions() + " belongs to another user (uid 65534)");
    }

    @Test
    void aFolderThatOthersMayWriteIsRefused() throws IOException {
        Files.createDirectory(sessions());
        Files.setPosixFilePermissions(sessions(), PosixFilePermissions.fromString("rwxrwx---"));

        assertThatThrownBy(SessionFolder::create)
                .hasMessageContaining(
                        sessions() + " is writable by others (rwxrwx---). Remove it, or set" + " java.io.tmpdir.");
    }

    @Test
    void aFolderThatOthersMayReadIsClosedToThem() throws IOException {
        Files.createDirectory(sessions());
        Files.setPosixFilePermissions(sessions(), PosixFilePermissions.fromString("rwxr-xr-x"));

        SessionFolder.create().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(sessions())))
                .isEqualTo("rwx------");
    }

    private static Path sessions() {
        return Path.of(
                System.getProperty("java.io.tmpdir"), "rankunit-" + System.getProperty("user.name") + "-sessions");
    }

    @Test
    void whatIsNoSessionIsLeftAlone() throws IOException {
        Path stranger;
        try (SessionFolder session = SessionFolder.create()) {
            stranger = Files.createDirectory(session.path().resolveSibling("stranger"));
        }

        SessionFolder.create().close();

        assertThat(stranger).isDirectory();
    }

    @Test
    void aTemporaryFolderTooLongForASocketIsNotUsed(@TempDir Path temp) throws IOException {
        System.setProperty(
                "java.io.tmpdir",
                Files.createDirectory(temp.resolve("x".repeat(100))).toString());

        try (SessionFolder session = SessionFolder.create()) {
            assertThat(session.path()).startsWith(Path.of("/tmp"));
            assertThat(session.path().resolve("g10000/control").toString()).hasSizeLessThan(108);
        }
    }

    private static Process foreign() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Foreign.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Path sessionOf(Process foreign) throws IOException {
        return Path.of(foreign.inputReader().readLine());
    }
}
