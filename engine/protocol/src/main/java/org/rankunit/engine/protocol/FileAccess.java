package org.rankunit.engine.protocol;

import java.nio.file.Path;

/**
 * How a rank reaches the files of the parent, if its node does not see them.
 *
 * @param host an address of the parent's machine, in numbers
 * @param port where the parent listens for requests
 * @param token proves that a request comes from a rank of this run
 * @param folder a folder of the rank's node, in which it keeps copies
 * @param log where the parent has what the rank prints, which is a file on its node
 */
public record FileAccess(String host, int port, String token, String folder, String log) {

    /** The same for a rank whose output the parent has there. */
    public FileAccess withLog(Path file) {
        return new FileAccess(host, port, token, folder, file.toString());
    }
}
