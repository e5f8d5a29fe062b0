package org.rankunit.pool;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** Who may use the files of a pool's folder: its owner, or all of its group as well. */
enum Sharing {
    ONE_USER("rw-------", "rwx------"),
    /** The folder's set-group-id bit gives all that is made in it to its group. */
    GROUP("rw-rw----", "rwxrwx---");

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
     * Create an empty file.
     *
     * @throws FileAlreadyExistsException if there is something of that name
     */
    void createFile(Path path) throws IOException {
        if (this == ONE_USER) {
            Files.createFile(path, ofFiles());
            return;
        }
        // Under its name only once the others may use it: the user's umask holds at the moment of creation.
        Path made = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID());
        Files.createFile(made, ofFiles());
        try {
            widen(made);
            Files.createLink(path, made);
        } finally {
            Files.delete(made);
        }
    }

    /** Undo what the user's umask took from a file made by this process. */
    void widen(Path made) throws IOException {
        if (this == GROUP) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(file));
        }
    }

    /** Undo what the user's umask took from a folder made by this process. */
    void widenFolder(Path made) throws IOException {
        if (this == GROUP) {
            // Keeps the set-group-id bit, which Java has no name for and would take away.
            int mode = (Integer) Files.getAttribute(made, "unix:mode");
            Files.setAttribute(made, "unix:mode", mode | 0770);
        }
    }
}
