package org.rankunit.pool.lock;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The files of one pool folder, shared by all pools of this JVM on that folder: the mutex, the records, and one
 * {@link LockFile} per device, whose channels stay open for the life of the JVM (one descriptor per device used).
 *
 * <p>Keyed by the folder's real path, whichever path was given. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PoolFiles {

    private static final Map<Path, PoolFiles> BY_REAL_PATH = new ConcurrentHashMap<>();

    private final Path folder;
    private final PoolMutex mutex;
    private final Sharing sharing;
    private final Map<Path, LockFile> lockFiles = new ConcurrentHashMap<>();
    private final Set<String> checkedPlatforms = ConcurrentHashMap.newKeySet();

    private PoolFiles(Path folder, Sharing sharing) {
        this.folder = folder;
        this.sharing = sharing;
        this.mutex = new PoolMutex(folder, sharing);
    }

    public static PoolFiles at(PoolFolder.Prepared prepared) {
        return BY_REAL_PATH.computeIfAbsent(prepared.realPath(), path -> new PoolFiles(path, prepared.sharing()));
    }

    public PoolMutex mutex() {
        return mutex;
    }

    public Path path() {
        return folder;
    }

    public Path platformFolder(String platform) {
        return folder.resolve(platform);
    }

    public Sharing sharing() {
        return sharing;
    }

    public LockFile lockFile(String platform, int device) {
        return lockFiles.computeIfAbsent(
                folder.resolve(platform).resolve(device + ".lock"), path -> new LockFile(path, sharing));
    }

    public OwnerFile ownerFile(String platform, int device) {
        return new OwnerFile(folder.resolve(platform), device, sharing);
    }

    /**
     * Ensure that the platform's folder exists and that only the pool's users can use it.
     *
     * @throws PoolException if that is not possible
     */
    public void preparePlatform(String platform) {
        Path platformFolder = folder.resolve(platform);
        boolean isFolder = Files.isDirectory(platformFolder, LinkOption.NOFOLLOW_LINKS);
        if (!isFolder || !checkedPlatforms.contains(platform)) {
            PoolFolder.preparePlatform(folder, platform, sharing);
            checkedPlatforms.add(platform);
        }
    }

    /**
     * Do the same as {@link #preparePlatform}, but do not create the folder if it does not exist.
     *
     * @throws PoolException if the path exists but cannot be used
     */
    public void checkPlatform(String platform) {
        if (Files.exists(folder.resolve(platform), LinkOption.NOFOLLOW_LINKS)) {
            preparePlatform(platform);
        }
    }
}
