package org.rankunit.engine.config.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.rankunit.pool.lock.ProcessUser;

/**
 * A folder that only the user of this process can use. It has mode 0700, so its content was put there by that user or
 * by root.
 */
public final class PrivateFolder {

    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = PosixFilePermissions.asFileAttribute(MODE);

    private static final int ROOT = 0;

    private PrivateFolder() {}

    /**
     * Creates a folder and those above it that do not exist, each for this user alone whatever the umask. What exists is
     * left as it is, also a link to a folder: a user whose home is small has one in place of {@code ~/.cache}.
     */
    public static void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, PRIVATE);
        }
    }

    /**
     * Creates a folder if it does not exist, and refuses it unless it belongs to this user and no other user can write to
     * it. A folder that others can only read is closed to them.
     *
     * @param instead what the user can do instead of removing a refused folder: {@code "set java.io.tmpdir"}
     * @throws IOException if it cannot be created or is refused; the message names it and says why and what to do
     */
    public static void prepare(Path folder, String instead) throws IOException {
        try {
            Files.createDirectory(folder, PRIVATE);
        } catch (FileAlreadyExistsException present) {
            // Whatever it is, it is checked next.
        }
        String why = whyNot(folder);
        if (!why.isEmpty()) {
            throw new IOException(folder + " " + why + ". Remove it, or " + instead + ".");
        }
    }

    /**
     * A user who put a link or a folder there first could read what we write, or make us read or remove other files.
     */
    private static String whyNot(Path folder) throws IOException {
        Map<String, Object> found = Files.readAttributes(folder, "unix:uid,isDirectory", LinkOption.NOFOLLOW_LINKS);
        if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
            return "is not a folder";
        } else if (!Objects.equals(found.get("uid"), ProcessUser.id())) {
            return "belongs to another user (uid " + found.get("uid") + ")";
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return "is writable by others (" + PosixFilePermissions.toString(permissions) + ")";
        } else if (!permissions.equals(MODE)) {
            Files.setPosixFilePermissions(folder, MODE);
        }
        return "";
    }

    /** Whether this is a regular file, not a link, that belongs to the user of this process or to root. */
    public static boolean hasMade(Path file) {
        try {
            Object owner = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && (Objects.equals(owner, ProcessUser.id()) || Objects.equals(owner, ROOT));
        } catch (IOException absent) {
            return false;
        }
    }
}
