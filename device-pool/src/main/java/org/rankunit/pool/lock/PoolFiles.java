package org.rankunit.pool.lock;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The files of one pool folder, as all pools of this JVM on it use them: the mutex, the records, and one {@link LockFile} per
 * device, whose channels stay open for the life of the JVM (one descriptor per device used).
 *
 * <p>Keyed by the folder's real path, however it was spelled. Thread-safe.
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
     * Make sure that the platform's folder is there and is ours alone.
     *
     * @throws PoolException if it cannot be
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
     * Do as {@link #preparePlatform}, but leave the folder out where nobody has needed it yet.
     *
     * @throws PoolException if there is something in its place that cannot be used
     */
    public void checkPlatform(String platform) {
        if (Files.exists(folder.resolve(platform), LinkOption.NOFOLLOW_LINKS)) {
            preparePlatform(platform);
        }
    }
}
