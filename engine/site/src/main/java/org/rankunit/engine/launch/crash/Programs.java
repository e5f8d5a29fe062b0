package org.rankunit.engine.launch.crash;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Optional programs of the machine, which are used if they are installed. */
public final class Programs {

    private Programs() {}

    /** Find a program on the path. */
    public static Optional<Path> find(String name) {
        String path = System.getenv("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
