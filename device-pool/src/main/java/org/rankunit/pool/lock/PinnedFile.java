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
 * A file that is kept open for the life of the JVM, as long as its name leads to it.
 *
 * <p>Closing <em>any</em> descriptor of a file frees all locks of the process on it. Hence there is one such object per file and
 * JVM ({@link PoolFiles} sees to that), and nothing else in this JVM may open the file, be it only to touch or read it.
 * Where a cleaner of temporary files has removed the name, the file of that name is a new one; and a file is touched now
 * and then to look used. Not thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PinnedFile {

    private static final Duration LOOKS_UNUSED = Duration.ofDays(1);

    /** Opens a file without following links, or in such a way that it does not matter. */
    @FunctionalInterface
    public interface Opener {
        FileChannel open(Path path) throws IOException;
    }

    private final Path path;
    private final Sharing sharing;
    private final Opener opener;
    private @Nullable FileChannel channel;
    /** Identity of the file that {@link #channel} has open. */
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
     * The channel of the file the name leads to now, which is created if it is absent; null if that changed meanwhile and the
     * caller should try again.
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
        // The name led to the same file before and after, so that is the file the channel has open.
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
            // As good as created here.
        }
    }

    private void lookUsed(BasicFileAttributes attributes) throws IOException {
        Instant now = Instant.now();
        if (attributes.lastModifiedTime().toInstant().isBefore(now.minus(LOOKS_UNUSED))) {
            // Opens and closes the file behind the scenes, which is harmless as long as it is not locked here.
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
                    + (attributes.isSymbolicLink() ? "a symbolic link, and the pool follows none" : "not a plain file")
                    + ".\nSee who put it there, and remove it.");
        }
    }

    /** Whoever made it could hold its locks for ever. */
    private void refuseUnlessTrusted() throws IOException {
        try {
            if (!sharing.trusts(path)) {
                throw new PoolException(path + " belongs to "
                        + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName()
                        + ", who may not write there.\nSee who put it there, and remove it.");
            }
        } catch (NoSuchFileException removedMeanwhile) {
            // Found out when it is opened, or right after that.
        }
    }
}
