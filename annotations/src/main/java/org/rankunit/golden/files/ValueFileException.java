package org.rankunit.golden.files;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Report a file of values that cannot be read or written as asked. The message names the file, what is wrong with it, and
 * what to do.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class ValueFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ValueFileException(Path file, String problem) {
        this(file, problem, null);
    }

    ValueFileException(Path file, String problem, @Nullable Throwable cause) {
        super(file + ": " + problem, cause);
    }
}
