package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The two buffers CCL_In and CCL_Out of a communicator, which all collectives in single-operator mode share.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CclBuffers {

    private static final String VARIABLE = "HCCL_BUFFSIZE";
    private static final long USUAL_MIB = 200;
    private static final long MAX_MIB = 1 << 20;

    private CclBuffers() {}

    /**
     * Get the size of each in bytes: as many MiB as the environment variable {@code HCCL_BUFFSIZE} says, 200 if it is not set.
     *
     * @throws IllegalArgumentException if the variable is no number from 1 to 1,048,576
     */
    public static long bytes() {
        String text = System.getenv(VARIABLE);
        return text == null || text.isEmpty() ? USUAL_MIB << 20 : bytesOf(text);
    }

    static long bytesOf(String text) {
        long size = text.matches("\\d{1,7}") ? Long.parseLong(text) : 0;
        if (size < 1 || size > MAX_MIB) {
            throw new IllegalArgumentException(
                    VARIABLE + " = \"" + text + "\": expected the size of a CCL buffer in MiB, from 1 to " + MAX_MIB);
        }
        return size << 20;
    }
}
