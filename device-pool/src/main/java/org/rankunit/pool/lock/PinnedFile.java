package org.rankunit.pool.lock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file that stays open for the life of the JVM as long as its name leads to it.
 *
 * <p>Closing <em>any</em> descriptor of a file frees all locks of the process on it. Hence there is one such object per
 * file and JVM ({@link PoolFiles} ensures this), and nothing else in this JVM may open the file, not even to touch or
 * read it. If a cleaner of temporary files has removed the name, a new file takes its place. The file is touched
 * periodically so that it looks used. Not thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PinnedFile {

    private static final Duration LOOKS_UNUSED = Duration.ofDays(1);

    /** Opens a file without following links, or in a way for which links do not matter. */
    @FunctionalInterface
    public interface Opener {
        FileChannel open(Path path) throws IOException;
    }

    private final Path path;
    private final Sharing sharing;
    private final Opener opener;
    private @Nullable FileChannel channel;
    /** Identity of the file that {@link #channel} refers to. */
    private @Nullable Object key;

    public PinnedFile(Path path, Sharing sharing, Opener opener) {
        this.path = path;
        this.sharing = sharing;
        this.opener = opener;
    }

    Path path() {
        return path;
    }

    boolean exists() {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * The channel of the file that the name leads to now; creates the file if it does not exist. Null if the name
     * changed in the meantime and the caller should try again.
     */
    public @Nullable FileChannel current() throws IOException {
        BasicFileAttributes before = attributes();
        if (before == null) {
            create();
            return null;
        }
        FileChannel open = channel;
        if (open != null && open.isOpen() && Objects.equals(before.fileKey(), key)) {
            lookUsed(before);
            return open;
        }
        refuseUnlessRegular(before);
        refuseUnlessTrusted();
        if (open != null) {
            open.close();
        }
        // The name led to the same file before and after, so that is the file that the channel refers to.
        channel = opener.open(path);
        key = before.fileKey();
        return nameStillLeadsHere() ? channel : null;
    }

    boolean nameStillLeadsHere() throws IOException {
        BasicFileAttributes now = attributes();
        return now != null && Objects.equals(now.fileKey(), key);
    }

    private void create() throws IOException {
        try {
            sharing.createFile(path);
        } catch (FileAlreadyExistsException createdByAnotherProcess) {
            // Another process created it; that is just as good.
        }
    }

    private void lookUsed(BasicFileAttributes attributes) throws IOException {
        Instant now = Instant.now();
        if (attributes.lastModifiedTime().toInstant().isBefore(now.minus(LOOKS_UNUSED))) {
            // Opens and closes the file internally, which is harmless as long as it is not locked here.
            Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(FileTime.from(now), FileTime.from(now), null);
        }
    }

    private @Nullable BasicFileAttributes attributes() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    private void refuseUnlessRegular(BasicFileAttributes attributes) {
        if (!attributes.isRegularFile()) {
            throw new PoolException(path + " is "
                    + (attributes.isSymbolicLink()
                            ? "a symbolic link, which the pool does not follow"
                            : "not a plain file")
                    + ".\nFind out who put it there, and remove it.");
        }
    }

    /** An untrusted creator could hold its locks forever. */
    private void refuseUnlessTrusted() throws IOException {
        try {
            if (!sharing.trusts(path)) {
                throw new PoolException(path + " belongs to "
                        + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName()
                        + ", who may not write there.\nFind out who put it there, and remove it.");
            }
        } catch (NoSuchFileException removedMeanwhile) {
            // Detected when the file is opened, or right after.
        }
    }
}
