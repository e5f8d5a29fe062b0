package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.pool;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolException;

/** A pool's folder that was made for the users of one group. */
@Tag("ranks")
@Timeout(60)
class GroupFolderTest {

    private static final String OTHER_USER = "54321";
    private static final String ATTACKER = "54322";
    private static final int GROUP = 54000;

    @TempDir
    Path temp;

    @Test
    void allThatIsMadeInItIsForTheGroupWhateverTheUmask() throws Exception {
        Path folder = groupFolder();
        try (ForeignProcess strict = ForeignProcess.startBy(
                List.of("sh", "-c", "umask 077; exec \"$@\"", "sh"),
                System.getProperty("java.class.path"),
                ForeignHolder.class,
                folder,
                "2",
                "1",
                "StrictTest")) {
            strict.awaitLine("leased");
            assertThat(modes(folder)).isNotEmpty().allMatch(mode -> mode.startsWith("rw-rw----"));
            assertThat(modes(folder))
                    .anyMatch(mode -> mode.endsWith("0.owner"))
                    .anyMatch(mode -> mode.endsWith("gate.lock"));
            int platformMode = (Integer) Files.getAttribute(folder.resolve(PLATFORM), "unix:mode");
            assertThat(platformMode & 07777).isEqualTo(02770);
        }
    }

    @Test
    void anotherUserOfTheGroupSharesTheDevicesAndTheQueue() throws Exception {
        assumeTrue(isRoot(), "only root can be somebody else");
        Path folder = groupFolder();
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        DevicePool pool = pool(folder, 2);
        try (DeviceLease held = pool.lease(devices(1), SOON);
                ForeignProcess other = asOther(folder, "1")) {
            other.awaitLine("leased");
            Optional<OwnerRecord> owner = pool.status(PLATFORM).get(1).owner();
            assertThat(owner.map(OwnerRecord::pid)).as("beside %s", held).contains(other.pid());
            assertThat(pool.tryLease(devices(1))).isEmpty();
        }
        DeviceLease all = pool.lease(devices(2), SOON);
        try (ForeignProcess other = asOther(folder, "2")) {
            Pools.await("the other user waits", () -> isAwaited(pool));
            all.close();
            other.awaitLine("leased");
        }
    }

    /** On a busy machine, a JVM that has just started may hold the pool's lock for longer than the queue can be looked at. */
    private static boolean isAwaited(DevicePool pool) {
        try {
            return pool.queue(PLATFORM).size() == 1;
        } catch (LeaseTimeoutException e) {
            return false;
        }
    }

    @Test
    void aFolderForAGroupThatOthersCanReadIsRefused() throws Exception {
        Path folder = groupFolder();
        Files.setAttribute(folder, "unix:mode", 02775);
        assertThatThrownBy(() -> pool(folder, 1))
                .isInstanceOf(PoolException.class)
                .hasMessageContaining(
                        "and others may write to it; chmod 700 prevents that, and chmod 2770 shares it with"
                                + " its group only");
    }

    /** With the folder of one's own planted, its mutex locked forever and its devices in quarantine. */
    @Test
    void whoSharesAGroupWithAUserCannotOwnTheUsersDefaultPool() throws Exception {
        assumeTrue(isRoot(), "only root can be somebody else");
        assumeTrue(Files.notExists(PoolConfig.SYSTEM_FOLDER), "this machine has a pool for all its users");
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path temporary = Files.createDirectory(temp.resolve("tmp"));
        Files.setAttribute(temporary, "unix:mode", 01777);
        Path planted = temporary.toRealPath().resolve("rankunit-pool-" + OTHER_USER);
        plant(planted);
        try (ForeignProcess attacker =
                ForeignProcess.startBy(as(ATTACKER, GROUP), readableClasses(), ForeignHolder.class, planted)) {
            attacker.awaitLine("locked");
            try (ForeignProcess victim = tenant(temporary)) {
                victim.awaitLine("refused: " + planted + ", your default folder of the device pool, belongs to "
                        + ATTACKER + " (rwxrwx---), but this process runs as " + OTHER_USER
                        + ". Find out who created it and remove it, or set rankunit.pool-dir to a folder of your own.");
            }
        }
        Files.move(planted, temporary.resolve("moved"));
        try (ForeignProcess victim = tenant(temporary)) {
            victim.awaitLine("leased [0] in " + planted + " as " + OTHER_USER);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(planted)))
                    .isEqualTo("rwx------");
        }
    }

    /** As the attacker, who is in the group of the user whose default folder this would be. */
    private static void plant(Path folder) throws Exception {
        List<String> command = new ArrayList<>(as(ATTACKER, GROUP));
        command.addAll(List.of(
                "sh",
                "-ec",
                "umask 007; mkdir \"$0\" \"$0/a2a3sim\"; chmod 2770 \"$0\" \"$0/a2a3sim\"; : >\"$0/gate.lock\";"
                        + " for i in $(seq 0 15); do printf 'quarantined=mine\\nsince=2026-01-01T00:00:00Z\\n"
                        + "until=2099-01-01T00:00:00Z\\n' >\"$0/a2a3sim/$i.health\"; done",
                folder.toString()));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        assertThat(Files.getAttribute(folder, "unix:mode")).isEqualTo(042770);
        assertThat(folder.resolve("a2a3sim/15.health")).isNotEmptyFile();
    }

    private ForeignProcess tenant(Path temporary) throws IOException {
        return ForeignProcess.startBy(as(OTHER_USER, GROUP), readableClasses(), ForeignTenant.class, temporary);
    }

    @Test
    void aNoteIsBelievedIfAMemberOfTheGroupMadeIt() throws Exception {
        assumeTrue(isRoot(), "only root can be somebody else");
        Path folder = groupFolder();
        DevicePool pool = pool(folder, 1);
        pool.lease(devices(1), SOON).close();
        Path note = PoolFolderTest.quarantine(folder.resolve(PLATFORM));
        Files.setAttribute(note, "unix:uid", Integer.valueOf(OTHER_USER));
        assertThat(pool.status(PLATFORM).get(0).health()).isInstanceOf(DeviceHealth.Quarantined.class);

        Files.setAttribute(note, "unix:gid", Integer.valueOf(OTHER_USER));

        assertThat(pool.status(PLATFORM).get(0).health()).isInstanceOf(DeviceHealth.Sound.class);
    }

    private static List<String> as(String user, int group) {
        return List.of("setpriv", "--reuid", user, "--regid", String.valueOf(group), "--clear-groups");
    }

    private ForeignProcess asOther(Path folder, String count) throws IOException {
        return ForeignProcess.startBy(
                as(OTHER_USER, groupOf(folder)),
                readableClasses(),
                ForeignHolder.class,
                folder,
                "2",
                count,
                "OtherTest");
    }

    /** Copies of the classes: where they were built, nobody else may be able to read them. */
    private String readableClasses() throws IOException {
        List<String> copies = new ArrayList<>();
        for (Class<?> type : List.of(DevicePool.class, ForeignHolder.class)) {
            Path from = Path.of(URI.create(
                    type.getProtectionDomain().getCodeSource().getLocation().toString()));
            Path to = temp.resolve(type.getSimpleName());
            copies.add(to.toString());
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Path copy = to.resolve(from.relativize(file).toString());
                    if (!Files.exists(copy)) {
                        Files.copy(file, copy);
                    }
                }
            }
        }
        return String.join(":", copies);
    }

    private static int groupOf(Path folder) throws IOException {
        return (Integer) Files.getAttribute(folder, "unix:gid");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/bin/setpriv"));
    }

    private Path groupFolder() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("pool"));
        if (isRoot()) {
            Files.setAttribute(folder, "unix:gid", GROUP);
        }
        Files.setAttribute(folder, "unix:mode", 02770);
        return folder.toRealPath();
    }

    private static List<String> modes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> {
                        try {
                            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) + " "
                                    + file.getFileName();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .toList();
        }
    }
}
