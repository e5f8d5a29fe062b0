package org.rankunit.engine.config;

import java.nio.file.Path;

/** The user's folder for what is of use to later runs and safe to delete. */
public final class CacheFolder {

    private CacheFolder() {}

    /** Where things of one kind are; need not exist. */
    public static Path of(String kind) {
        String configured = System.getenv("XDG_CACHE_HOME");
        Path cache = configured == null || configured.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(configured);
        return cache.resolve("rankunit").resolve(kind);
    }
}
