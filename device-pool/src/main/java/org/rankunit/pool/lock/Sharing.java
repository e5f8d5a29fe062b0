package org.rankunit.pool.lock;

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
import java.util.UUID;
import org.apiguardian.api.API;

/** Who may use the files of a pool's folder: only its owner, or its group as well. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Sharing {
    ONE_USER("rw-------", "rwx------"),
    /** The folder's set-group-id bit assigns everything created in it to its group. */
    GROUP("rw-rw----", "rwxrwx---");

    private static final int ROOT = 0;

    private final String file;
    private final String folder;

    Sharing(String file, String folder) {
        this.file = file;
        this.folder = folder;
    }

    FileAttribute<Set<PosixFilePermission>> ofFiles() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(file));
    }

    FileAttribute<Set<PosixFilePermission>> ofFolders() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(folder));
    }

    /**
     * Whether a trusted user created the file: this process's user or root or, in a folder for a group, a user whose
     * file belongs to that group, as the folder's set-group-id bit ensures for everything that members create in it.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such file
     */
    boolean trusts(Path path) throws IOException {
        Map<String, Object> file = Files.readAttributes(path, "unix:uid,gid", LinkOption.NOFOLLOW_LINKS);
        Object owner = file.get("uid");
        return Objects.equals(owner, ProcessUser.id())
                || Objects.equals(owner, ROOT)
                || (this == GROUP
                        && Objects.equals(
                                file.get("gid"),
                                Files.getAttribute(folderOf(path), "unix:gid", LinkOption.NOFOLLOW_LINKS)));
    }

    private static Path folderOf(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent(), "a file lies in a folder");
    }

    /**
     * Create an empty file.
     *
     * @throws FileAlreadyExistsException if the name exists
     */
    public void createFile(Path path) throws IOException {
        if (this == ONE_USER) {
            Files.createFile(path, ofFiles());
            return;
        }
        // The umask applies at creation, so the file gets its final name only once the others may use it.
        Path made = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID());
        Files.createFile(made, ofFiles());
        try {
            widen(made);
            Files.createLink(path, made);
        } finally {
            Files.delete(made);
        }
    }

    /** Restore the permissions that the umask removed from a file created by this process. */
    void widen(Path made) throws IOException {
        if (this == GROUP) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(file));
        }
    }

    /** Restore the permissions that the umask removed from a folder created by this process. */
    void widenFolder(Path made) throws IOException {
        if (this == GROUP) {
            // Keeps the set-group-id bit, which Java's permissions cannot express and would clear.
            int mode = (Integer) Files.getAttribute(made, "unix:mode");
            Files.setAttribute(made, "unix:mode", mode | 0770);
        }
    }
}
