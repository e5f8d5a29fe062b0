package org.rankunit.pool;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all {@link DevicePool}s of this JVM on one folder have in common: the gate, the waiting lines, and one
 * {@link LockFile} per device, whose channels stay open for the life of the JVM (one descriptor per device used).
 *
 * <p>Keyed by the folder's real path, however it was spelled. Thread-safe.
 */
final class SharedFolder {

    private static final Map<Path, SharedFolder> BY_REAL_PATH = new ConcurrentHashMap<>();

    private final Path folder;
    private final Gate gate;
    private final Map<String, WaitingLine> lines = new ConcurrentHashMap<>();
    private final Map<Path, LockFile> lockFiles = new ConcurrentHashMap<>();
    private final Set<String> checkedPlatforms = ConcurrentHashMap.newKeySet();

    private SharedFolder(Path folder) {
        this.folder = folder;
        this.gate = new Gate(folder);
    }

    /** @param realPath of a prepared folder */
    static SharedFolder at(Path realPath) {
        return BY_REAL_PATH.computeIfAbsent(realPath, SharedFolder::new);
    }

    Gate gate() {
        return gate;
    }

    WaitingLine line(String platform) {
        return lines.computeIfAbsent(platform, unused -> new WaitingLine());
    }

    LockFile lockFile(String platform, int device) {
        return lockFiles.computeIfAbsent(folder.resolve(platform).resolve(device + ".lock"), LockFile::new);
    }

    OwnerFile ownerFile(String platform, int device) {
        return new OwnerFile(folder.resolve(platform), device);
    }

    SuspicionFile suspicionFile(String platform, int device) {
        return new SuspicionFile(folder.resolve(platform), device);
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
            PoolFolder.preparePlatform(folder, platform);
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
