package org.rankunit.pool;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A folder that only its owner can use; one that others made or could change is refused. */
final class PoolFolder {

    static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    static final String WHAT_TO_DO = "Set rankunit.pool-dir to a folder of your own, or leave the key out to use "
            + PoolConfig.defaults().folder() + ".";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path folder;
    /** What messages begin with. */
    private final String subject;

    private PoolFolder(Path folder, String subject) {
        this.folder = folder;
        this.subject = subject;
    }

    /**
     * Create the folder if it is absent, and check it.
     *
     * @return its real path
     * @throws PoolException if it cannot be created, is no folder, is a symbolic link, cannot be read and written,
     *     belongs to somebody else or can be written by others
     */
    static Path prepare(Path folder) {
        Path absolute = folder.toAbsolutePath();
        return new PoolFolder(absolute, "rankunit.pool-dir = \"" + absolute + "\": it ").prepare();
    }

    /**
     * Create the folder of one platform if it is absent, and check it.
     *
     * @param poolFolder a prepared pool folder
     * @throws PoolException as {@link #prepare} does
     */
    static void preparePlatform(Path poolFolder, String platform) {
        new PoolFolder(
                        poolFolder.resolve(platform),
                        "rankunit.pool-dir = \"" + poolFolder + "\": its subfolder " + platform + " ")
                .prepare();
    }

    private Path prepare() {
        try {
            if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                create();
            }
            check();
            return folder.toRealPath();
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
            throw refused("cannot be created, as " + user() + " may not write in " + ancestor, null);
        }
        try {
            Files.createDirectories(folder, OWNER_ONLY_FOLDER);
        } catch (FileAlreadyExistsException createdMeanwhile) {
            // Whatever it is, it is checked next.
        }
    }

    private void check() throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> permissions = attributes.permissions();
        String belongs =
                "belongs to " + attributes.owner().getName() + " (" + PosixFilePermissions.toString(permissions) + ")";
        if (attributes.isSymbolicLink()) {
            throw refused("is a symbolic link, and the pool follows none", null);
        }
        if (!attributes.isDirectory()) {
            throw refused("is not a folder", null);
        }
        if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
            throw refused(belongs + ", and " + user() + " may not read and write it", null);
        }
        UserPrincipal self = ownerOfNewFile();
        if (!attributes.owner().equals(self)) {
            throw refused(belongs + ", and this process runs as " + self.getName(), null);
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw refused(belongs + ", and others may write in it; chmod 700 would end that", null);
        }
    }

    /** Who this process is to the file system, which need not be what {@code user.name} says. */
    private UserPrincipal ownerOfNewFile() throws IOException {
        Path probe = Files.createTempFile(folder, "probe", null, OWNER_ONLY_FILE);
        try {
            return Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS);
        } finally {
            Files.delete(probe);
        }
    }

    private PoolException refused(String what, @Nullable Exception cause) {
        return new PoolException(subject + what + ".\n" + WHAT_TO_DO, cause);
    }

    private static String user() {
        return System.getProperty("user.name", "this user");
    }

    /** What went wrong, without the path that file system exceptions put first. */
    static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "its folder has been removed";
        }
        if (e instanceof FileSystemException inFileSystem && inFileSystem.getReason() != null) {
            return inFileSystem.getReason();
        }
        if (e.getClass() == IOException.class && e.getMessage() != null) {
            // As the system says it, for example of a disk that is full.
            return e.getMessage();
        }
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")");
    }
}
