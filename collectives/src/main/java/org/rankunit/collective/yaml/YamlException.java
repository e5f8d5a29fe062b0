package org.rankunit.collective.yaml;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Thrown when a configuration file cannot be read. The message has the file, the line, the column and what is expected there.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class YamlException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    YamlException(String message) {
        super(message);
    }
}
