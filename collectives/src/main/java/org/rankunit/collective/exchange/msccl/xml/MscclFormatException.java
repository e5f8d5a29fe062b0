package org.rankunit.collective.exchange.msccl.xml;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Thrown when a file is no program of MSCCL, or one that MSCCL would not run. The message names the file, the line, what is there, and
 * what is expected.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MscclFormatException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MscclFormatException(String source, int line, String what) {
        super(source + (line > 0 ? ", line " + line : "") + ": " + what);
    }
}
