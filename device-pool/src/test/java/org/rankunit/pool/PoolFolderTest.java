package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.PoolException;
import org.rankunit.pool.lock.PoolFolder;

/** What the pool's folder must be like, and what is said of one that is not. */
@Tag("unit")
@Timeout(60)
class PoolFolderTest {

    @TempDir
    Path temp;

    private Path folder;

    @BeforeEach
    void findFolder() throws IOException {
        folder = temp.toRealPath().resolve("pool");
    }

    @Test
    void anAbsentFolderIsCreatedForItsOwnerAlone() throws Exception {
        pool(folder.resolve("deeper"), 1).lease(devices(1), SOON).close();
        assertThat(permissions(folder)).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("deeper"))).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("deeper").resolve(PLATFORM))).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("deeper").resolve(PLATFORM).resolve("0.lock")))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefused() throws Exception {
        Files.createFile(folder);
        assertRefused(folder, "it is not a folder");
    }

    @Test
    void aFolderBelowAFileIsRefused() throws Exception {
        Files.createFile(folder);
        assertRefused(folder.resolve("sub"), "it cannot be created, as " + folder + " is not a folder");
    }

    @Test
    void aSymbolicLinkInPlaceOfTheFolderIsRefused() throws Exception {
        Files.createSymbolicLink(folder, Files.createDirectory(temp.resolve("elsewhere")));
        assertRefused(folder, "it is a symbolic link, which the pool does not follow");
    }

    @Test
    void aFolderThatOthersMayWriteIsRefused() throws Exception {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(
                folder,
                "it belongs to " + Files.getOwner(folder) + " (rwxrwxrwx), and others may write to it; chmod 700"
                        + " prevents that, and chmod 2770 shares it with its group only");
    }

    @Test
    void aFolderOfSomebodyElseIsRefused() throws Exception {
        Files.createDirectory(folder);
        assumeTrue(givenAway(folder), "only root can give a folder away");
        assertRefused(folder, "it belongs to 54321 (rwxr-xr-x), but this process runs as " + Files.getOwner(temp));
    }

    @Test
    void aSymbolicLinkInPlaceOfAPlatformsFolderIsRefused() throws Exception {
        DevicePool pool = pool(folder, 1);
        Files.createSymbolicLink(folder.resolve(PLATFORM), Files.createDirectory(temp.resolve("elsewhere")));
        String message = "rankunit.pool-dir = \"" + folder
                + "\": its subfolder a2a3sim is a symbolic link, which the pool does not follow.\n"
                + PoolFolder.WHAT_TO_DO;
        assertThatThrownBy(() -> pool.tryLease(devices(1)))
                .isInstanceOf(PoolException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> pool.status(PLATFORM))
                .isInstanceOf(PoolException.class)
                .hasMessage(message);
        assertThat(temp.resolve("elsewhere")).isEmptyDirectory();
    }

    @Test
    void aSymbolicLinkInPlaceOfALockFileIsRefusedAndNotFollowed() throws Exception {
        DevicePool pool = pool(folder, 2);
        Path target = temp.resolve("target");
        Path planted = Files.createDirectory(folder.resolve(PLATFORM)).resolve("1.lock");
        Files.createSymbolicLink(planted, target);

        assertThatThrownBy(() -> pool.tryLease(devices(2)))
                .isInstanceOf(PoolException.class)
                .hasMessage(planted + " is a symbolic link, which the pool does not follow.\n"
                        + "Find out who put it there, and remove it.");
        assertThat(target).doesNotExist();
        Files.delete(planted);
        assertThat(Pools.free(pool)).as("nothing stayed locked").containsExactly(0, 1);
    }

    @Test
    void symbolicLinksInPlaceOfRecordsAreReplacedAndNotFollowed() throws Exception {
        DevicePool pool = pool(folder, 1);
        Path target = Files.writeString(temp.resolve("target"), "precious");
        Path platform = Files.createDirectory(folder.resolve(PLATFORM));
        Files.createSymbolicLink(platform.resolve("0.owner"), target);
        Files.createSymbolicLink(platform.resolve("0.owner.new"), target);

        try (DeviceLease lease = pool.lease(devices(1), SOON)) {
            assertThat(platform.resolve("0.owner")).isRegularFile();
            assertThat(pool.status(PLATFORM).get(0).owner()).contains(lease.owner());
        }
        assertThat(target).hasContent("precious");
    }

    @Test
    void aRecordThatIsALinkIsNotRead() throws Exception {
        DevicePool pool = pool(folder, 1);
        try (DeviceLease lease = pool.lease(devices(1), SOON)) {
            Path record = folder.resolve(PLATFORM).resolve("0.owner");
            Files.move(record, temp.resolve("moved"));
            Files.createSymbolicLink(record, temp.resolve("moved"));
            assertThat(pool.status(PLATFORM).get(0).owner())
                    .as("record of %s", lease)
                    .isEmpty();
        }
    }

    @Test
    void aNoteIsNotBelievedIfSomebodyElseMadeIt() throws Exception {
        DevicePool pool = pool(folder, 1);
        pool.lease(devices(1), SOON).close();
        Path note = quarantine(folder.resolve(PLATFORM));
        assertThat(pool.status(PLATFORM).get(0).health()).isInstanceOf(DeviceHealth.Quarantined.class);
        assumeTrue(givenAway(note), "only root can give a file away");

        assertThat(pool.status(PLATFORM).get(0).health()).isInstanceOf(DeviceHealth.Sound.class);
        pool.lease(devices(1), SOON).close();
    }

    @Test
    void aLockFileOfSomebodyElseIsRefused() throws Exception {
        Path planted = Files.createDirectories(folder.resolve(PLATFORM)).resolve("0.lock");
        Files.setPosixFilePermissions(folder.resolve(PLATFORM), PosixFilePermissions.fromString("rwx------"));
        Files.createFile(planted);
        assumeTrue(givenAway(planted), "only root can give a file away");

        assertThatThrownBy(() -> pool(folder, 1).tryLease(devices(1)))
                .isInstanceOf(PoolException.class)
                .hasMessage(planted + " belongs to 54321, who may not write there.\n"
                        + "Find out who put it there, and remove it.");
    }

    @Test
    void theDefaultFolderIsNeverSharedAndClosedToReaders() throws Exception {
        String usual = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", temp.toString());
        try {
            Path own = Files.createDirectory(PoolFolder.ownFolder());
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
            assertThat(pool(own, 1).folder()).isEqualTo(own.toRealPath());
            assertThat(permissions(own)).isEqualTo("rwx------");

            Files.setAttribute(own, "unix:mode", 02770);
            assertThatThrownBy(() -> pool(own, 1))
                    .isInstanceOf(PoolException.class)
                    .hasMessage(own + ", your default folder of the device pool, belongs to " + Files.getOwner(own)
                            + " (rwxrwx---), and others may write to it.\nFind out who created it and remove it, or set"
                            + " rankunit.pool-dir to a folder of your own.");
        } finally {
            System.setProperty("java.io.tmpdir", usual);
        }
    }

    /** Write a note that has device 0 in quarantine for the next years. */
    static Path quarantine(Path platformFolder) throws IOException {
        return Files.writeString(
                platformFolder.resolve("0.health"),
                "quarantined=broken\nsince=2026-01-01T00:00:00Z\nuntil=2099-01-01T00:00:00Z\n");
    }

    @Test
    void aLockFileThatLooksUnusedIsTouchedBeforeItIsLocked() throws Exception {
        DevicePool pool = pool(folder, 1);
        pool.lease(devices(1), SOON).close();
        Path lockFile = folder.resolve(PLATFORM).resolve("0.lock");
        Instant longAgo = Instant.now().minus(Duration.ofDays(9));
        Files.setLastModifiedTime(lockFile, FileTime.from(longAgo));

        pool.lease(devices(1), SOON).close();

        assertThat(Files.getLastModifiedTime(lockFile).toInstant()).isAfter(longAgo.plus(Duration.ofDays(8)));
    }

    private static void assertRefused(Path folder, String what) {
        assertThatThrownBy(() -> pool(folder, 1))
                .isInstanceOf(PoolException.class)
                .hasMessage("rankunit.pool-dir = \"" + folder + "\": " + what + ".\n" + PoolFolder.WHAT_TO_DO);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static boolean givenAway(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.setAttribute(path, "unix:uid", 54321);
            return true;
        } catch (IOException notRoot) {
            return false;
        }
    }
}
