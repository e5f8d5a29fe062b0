package org.rankunit.collective.exchange.chakra;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Thrown when files are no Chakra execution traces, or have nodes that RankUnit cannot run. The message names the file, the place in it,
 * what is there, and what to do.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class ChakraFormatException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ChakraFormatException(String message) {
        super(message);
    }

    static ChakraFormatException at(Path file, long offset, String what) {
        return new ChakraFormatException(file + ", byte " + offset + ": " + what);
    }
}
