package org.rankunit.collective.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;

/**
 * One task of a stream.
 *
 * @param rank that runs it
 * @param stream 0 is the main stream, 1 the first sub stream
 * @param place in the stream, from 0
 * @param from what is read; null if it moves no data
 * @param to what is written; null if it moves no data
 * @param signalled what is posted or waited for; null if it moves data
 * @param link number of the link that data takes; -1 inside a rank
 * @param line of the algorithm, such as {@code "RingAllReduce.java:41"}; null if that was not recorded
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Task(
        int rank,
        int stream,
        int place,
        TaskKind kind,
        @Nullable Region from,
        @Nullable Region to,
        @Nullable NotifyName signalled,
        int link,
        @Nullable String line) {

    /** Where it is, such as {@code "task 3 of the main stream of rank 0 (RingAllReduce.java:41)"}. */
    public String where() {
        return "task " + place + " of " + streamName(stream) + " of rank " + rank
                + (line == null ? "" : " (" + line + ")");
    }

    /** Returns {@code "the main stream"} or {@code "sub stream 0"}. */
    public static String streamName(int stream) {
        return stream == 0 ? "the main stream" : "sub stream " + (stream - 1);
    }

    /** What it does, such as {@code "PUT input[0, 64) of rank 0 to output[64, 128) of rank 1"}. */
    public String what() {
        return switch (kind) {
            case POST -> "POST of " + signalled;
            case WAIT -> "WAIT for " + signalled;
            case REDUCE, PUT_REDUCE, GET_REDUCE -> kind + " " + from + " into " + to;
            case COPY, PUT, GET -> kind + " " + from + " to " + to;
        };
    }

    @Override
    public String toString() {
        return what() + ", " + where();
    }
}
