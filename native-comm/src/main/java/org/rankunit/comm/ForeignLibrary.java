package org.rankunit.comm;

import static java.util.Objects.requireNonNull;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A third-party communication library: a shared library that exports the {@code comm_*} functions.
 *
 * @param file the library
 * @param initForm the arguments of its {@code comm_init}
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record ForeignLibrary(Path file, CommInitForm initForm) {

    public ForeignLibrary {
        requireNonNull(file, "file");
        requireNonNull(initForm, "initForm");
    }
}
