package org.rankunit.engine.compile.source;

import java.nio.file.Path;

/**
 * The source of one kernel or orchestration function.
 *
 * @param name the name of the function, and of the file without {@code .cpp}
 * @param root the folder that has the folder of its kind
 */
public record KernelSource(String name, SourceKind kind, Path root) {

    static final String SUFFIX = ".cpp";

    /** The folder of its file. */
    public Path folder() {
        return root.resolve(kind.folder());
    }

    public Path file() {
        return folder().resolve(name + SUFFIX);
    }
}
