package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.call.BufferKind;

/**
 * What one rank needs to run an algorithm. Kept under a tag and used again by later calls.
 *
 * @param scratchBytes of {@link BufferKind#SCRATCH}
 * @param subStreams streams beside the main one
 * @param notifies between the rank's own streams
 * @param links to other ranks; the one at position i of those to the same rank has number i
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Resources(long scratchBytes, int subStreams, int notifies, List<Integer> links) {

    /** Of an algorithm that runs on the main stream alone. */
    public static Resources onMainStream(List<Integer> links) {
        return new Resources(0, 0, 0, links);
    }

    public Resources {
        if (scratchBytes < 0 || subStreams < 0 || notifies < 0) {
            throw new IllegalArgumentException("resources are not negative: " + scratchBytes + " bytes of scratch, "
                    + subStreams + " sub streams, " + notifies + " notifies");
        }
        links = List.copyOf(links);
    }

    /** Get the same with scratch memory. */
    public Resources withScratch(long bytes) {
        return new Resources(bytes, subStreams, notifies, links);
    }
}
