package org.rankunit.pool;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all {@link DevicePool}s of this JVM on one folder have in common: the gate, the queues, and one
 * {@link LockFile} per device, whose channels stay open for the life of the JVM (one descriptor per device used).
 *
 * <p>Keyed by the folder's real path, however it was spelled. Thread-safe.
 */
final class SharedFolder {

    private static final Map<Path, SharedFolder> BY_REAL_PATH = new ConcurrentHashMap<>();

    private final Path folder;
    private final Gate gate;
    private final Sharing sharing;
    private final Map<String, PlatformQueue> queues = new ConcurrentHashMap<>();
    private final Map<Path, LockFile> lockFiles = new ConcurrentHashMap<>();
    private final Set<String> checkedPlatforms = ConcurrentHashMap.newKeySet();

    private SharedFolder(Path folder, Sharing sharing) {
        this.folder = folder;
        this.sharing = sharing;
        this.gate = new Gate(folder, sharing);
    }

    static SharedFolder at(PoolFolder.Prepared prepared) {
        return BY_REAL_PATH.computeIfAbsent(prepared.realPath(), path -> new SharedFolder(path, prepared.sharing()));
    }

    Gate gate() {
        return gate;
    }

    Path path() {
        return folder;
    }

    PlatformQueue queue(String platform) {
        return queues.computeIfAbsent(platform, name -> new PlatformQueue(this, name, folder.resolve(name), sharing));
    }

    LockFile lockFile(String platform, int device) {
        return lockFiles.computeIfAbsent(
                folder.resolve(platform).resolve(device + ".lock"), path -> new LockFile(path, sharing));
    }

    OwnerFile ownerFile(String platform, int device) {
        return new OwnerFile(folder.resolve(platform), device, sharing);
    }

    HealthFile healthFile(String platform, int device) {
        return new HealthFile(folder.resolve(platform), device, sharing);
    }

    /**
     * Make sure that the platform's folder is there and is ours alone.
     *
     * @throws PoolException if it cannot be
     */
    void preparePlatform(String platform) {
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
    void checkPlatform(String platform) {
        if (Files.exists(folder.resolve(platform), LinkOption.NOFOLLOW_LINKS)) {
            preparePlatform(platform);
        }
    }
}
