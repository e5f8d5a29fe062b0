package org.rankunit.pool;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queues of one pool folder, one for each platform; all pools of this JVM on the folder use the same. Thread-safe.
 */
final class PlatformQueues {

    private static final Map<Path, PlatformQueues> BY_REAL_PATH = new ConcurrentHashMap<>();

    private final PoolFiles files;
    private final Map<String, PlatformQueue> queues = new ConcurrentHashMap<>();

    private PlatformQueues(PoolFiles files) {
        this.files = files;
    }

    static PlatformQueues of(PoolFiles files) {
        return BY_REAL_PATH.computeIfAbsent(files.path(), path -> new PlatformQueues(files));
    }

    PlatformQueue queue(String platform) {
        return queues.computeIfAbsent(platform, name -> new PlatformQueue(files, name));
    }
}
