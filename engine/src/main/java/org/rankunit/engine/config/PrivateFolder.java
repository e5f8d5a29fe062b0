package org.rankunit.engine.config;

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
import org.rankunit.pool.ProcessUser;

/**
 * A folder that this process's user alone can use: with mode 0700, so that what lies in it was put there by that user or by
 * root.
 */
public final class PrivateFolder {

    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = PosixFilePermissions.asFileAttribute(MODE);

    private static final int ROOT = 0;

    private PrivateFolder() {}

    /**
     * Create a folder if it is absent, and refuse it unless it is ours alone. One of ours that others may read, and not write,
     * is closed to them.
     *
     * @param instead what to do rather than remove a folder that is refused: {@code "set java.io.tmpdir"}
     * @throws IOException if it cannot be created or is refused; the message names it and says why and what to do
     */
    public static void prepare(Path folder, String instead) throws IOException {
        try {
            Files.createDirectory(folder, PRIVATE);
        } catch (FileAlreadyExistsException present) {
            // Whatever it is, it is looked at next.
        }
        String why = whyNot(folder);
        if (!why.isEmpty()) {
            throw new IOException(folder + " " + why + ". Remove it, or " + instead + ".");
        }
    }

    /** Who planted a link or a folder there first could read what we write, or have us read and remove what is theirs. */
    private static String whyNot(Path folder) throws IOException {
        Map<String, Object> found = Files.readAttributes(folder, "unix:uid,isDirectory", LinkOption.NOFOLLOW_LINKS);
        if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
            return "is no folder";
        } else if (!Objects.equals(found.get("uid"), ProcessUser.id())) {
            return "belongs to somebody else (uid " + found.get("uid") + ")";
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return "may be written by others (" + PosixFilePermissions.toString(permissions) + ")";
        } else if (!permissions.equals(MODE)) {
            Files.setPosixFilePermissions(folder, MODE);
        }
        return "";
    }

    /** Whether there is a plain file of that name, no link, which this process's user or root has made. */
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
