package org.rankunit.pool.lock;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A folder that only its owner can use or, if configured explicitly, one that was set up for a group. Any other folder
 * that others created or could change is rejected.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PoolFolder {

    public static final String WHAT_TO_DO =
            "Set rankunit.pool-dir to a folder of your own, or leave the key out to use " + ownFolder() + ".";

    /** Folder that all users of a machine share, if an administrator has created it. */
    public static final Path SYSTEM = Path.of("/var/lib/rankunit/pool");

    private static final String OF_THE_DEFAULT =
            "Find out who created it and remove it, or set rankunit.pool-dir to a folder of your own.";

    private static final String WHAT_TO_ASK =
            "It is for all users of this machine. Ask an administrator to add you to its group;"
                    + " a pool of your own (rankunit.pool-dir) would lend devices that others hold.";

    /** A usable folder, and who else may use it. */
    public record Prepared(Path realPath, Sharing sharing) {}

    private static final int SET_GROUP_ID = 02000;

    private static final String FOR_ITS_USER_ALONE = "rwx------";

    private final Path folder;
    /** The start of messages. */
    private final String subject;
    /** How the folder is shared if it is created here. */
    private final Sharing made;
    /** Whether the folder may be one that was set up for a group. */
    private final boolean mayBeShared;
    /** Whether all other users must be locked out. */
    private final boolean isDefault;

    private PoolFolder(Path folder, String subject, Sharing made, boolean mayBeShared, boolean isDefault) {
        this.folder = folder;
        this.subject = subject;
        this.made = made;
        this.mayBeShared = mayBeShared;
        this.isDefault = isDefault;
    }

    /**
     * Create the folder if it does not exist, and check it. The default folder of a user is for that user alone:
     * any user could have created it first, so sharing with a group does not prove that an administrator set it up.
     *
     * @throws PoolException if it cannot be created, is not a folder, is a symbolic link, cannot be read and written,
     *     or is not set up for sharing with its group but belongs to another user or is writable by others
     */
    public static Prepared prepare(Path folder) {
        Path absolute = folder.toAbsolutePath();
        boolean isDefault = absolute.equals(ownFolder().toAbsolutePath());
        String subject = isDefault
                ? absolute + ", your default folder of the device pool, "
                : "rankunit.pool-dir = \"" + absolute + "\": it ";
        return new PoolFolder(absolute, subject, Sharing.ONE_USER, !isDefault, isDefault).prepare();
    }

    /**
     * Create the folder of one platform if it does not exist, and check it.
     *
     * @param poolFolder a prepared pool folder
     * @throws PoolException as {@link #prepare} does
     */
    static void preparePlatform(Path poolFolder, String platform, Sharing sharing) {
        new PoolFolder(
                        poolFolder.resolve(platform),
                        "rankunit.pool-dir = \"" + poolFolder + "\": its subfolder " + platform + " ",
                        sharing,
                        sharing == Sharing.GROUP,
                        false)
                .prepare();
    }

    private Prepared prepare() {
        try {
            if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                create();
            }
            Sharing sharing = check();
            return new Prepared(folder.toRealPath(), sharing);
        } catch (IOException | UnsupportedOperationException e) {
            throw refused("cannot be used: " + reason(e), e);
        }
    }

    private void create() throws IOException {
        Path ancestor = folder.getParent();
        while (ancestor != null && !Files.exists(ancestor)) {
            ancestor = ancestor.getParent();
        }
        if (ancestor != null && !Files.isDirectory(ancestor)) {
            throw refused("cannot be created, as " + ancestor + " is not a folder", null);
        }
        if (ancestor != null && !Files.isWritable(ancestor)) {
            throw refused("cannot be created, as " + ProcessUser.name() + " may not write in " + ancestor, null);
        }
        try {
            Files.createDirectories(folder, made.ofFolders());
            made.widenFolder(folder);
        } catch (FileAlreadyExistsException createdMeanwhile) {
            // Whatever exists there is checked next.
        }
    }

    /** The default folder of this user; never shared, whatever its mode, since others could have created it first. */
    public static Path ownFolder() {
        return Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "rankunit-pool-" + ProcessUser.nameInFiles());
    }

    /** Who else may use the folder. */
    private Sharing check() throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> permissions = attributes.permissions();
        String belongs =
                "belongs to " + attributes.owner().getName() + " (" + PosixFilePermissions.toString(permissions) + ")";
        if (attributes.isSymbolicLink()) {
            throw refused("is a symbolic link, which the pool does not follow", null);
        }
        if (!attributes.isDirectory()) {
            throw refused("is not a folder", null);
        }
        boolean ofGroup = mayBeShared && isMeantForGroup(permissions);
        if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
            throw refused(
                    belongs + ", and " + ProcessUser.name() + " may not read and write it"
                            + (ofGroup
                                    ? "; it is for the group "
                                            + attributes.group().getName()
                                    : ""),
                    null);
        }
        if (ofGroup) {
            return Sharing.GROUP;
        }
        if (!Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(ProcessUser.id())) {
            throw refused(belongs + ", but this process runs as " + ProcessUser.name(), null);
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw refused(
                    belongs + ", and others may write to it"
                            + (isDefault
                                    ? ""
                                    : "; chmod 700 prevents that, and chmod 2770 shares it with its group only"),
                    null);
        }
        if (isDefault) {
            // Others could at most read it: its files belong to its owner.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(FOR_ITS_USER_ALONE));
        }
        return Sharing.ONE_USER;
    }

    /** Whether an administrator has set it up for several users: for a group, and for no user outside it. */
    private boolean isMeantForGroup(Set<PosixFilePermission> permissions) throws IOException {
        int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & SET_GROUP_ID) != 0
                && permissions.contains(PosixFilePermission.GROUP_WRITE)
                && !permissions.contains(PosixFilePermission.OTHERS_READ)
                && !permissions.contains(PosixFilePermission.OTHERS_WRITE)
                && !permissions.contains(PosixFilePermission.OTHERS_EXECUTE);
    }

    private PoolException refused(String what, @Nullable Exception cause) {
        String advice = isDefault ? OF_THE_DEFAULT : folder.startsWith(SYSTEM) ? WHAT_TO_ASK : WHAT_TO_DO;
        return new PoolException(subject + what + ".\n" + advice, cause);
    }

    /** What went wrong, without the path that file system exceptions put first. */
    public static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "its folder has been removed";
        }
        if (e instanceof FileSystemException inFileSystem && inFileSystem.getReason() != null) {
            return inFileSystem.getReason();
        }
        if (e.getClass() == IOException.class && e.getMessage() != null) {
            // The system's own message, for example for a full disk.
            return e.getMessage();
        }
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")");
    }
}
