package org.rankunit.pool.queue;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolFiles;

/**
 * The queues of one pool folder, one per platform, shared by all pools of this JVM on that folder. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PlatformQueues {

    private static final Map<Path, PlatformQueues> BY_REAL_PATH = new ConcurrentHashMap<>();

    private final PoolFiles files;
    private final Map<String, PlatformQueue> queues = new ConcurrentHashMap<>();

    private PlatformQueues(PoolFiles files) {
        this.files = files;
    }

    public static PlatformQueues of(PoolFiles files) {
        return BY_REAL_PATH.computeIfAbsent(files.path(), path -> new PlatformQueues(files));
    }

    public PlatformQueue queue(String platform) {
        return queues.computeIfAbsent(platform, name -> new PlatformQueue(files, name));
    }
}
