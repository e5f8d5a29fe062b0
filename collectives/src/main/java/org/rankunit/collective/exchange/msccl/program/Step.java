package org.rankunit.collective.exchange.msccl.program;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A step of a threadblock.
 *
 * @param source what it reads; means nothing if its type reads nothing
 * @param target what it writes; means nothing if its type writes nothing
 * @param awaits numbers of the notifies of its rank for which it waits before it does anything
 * @param posts numbers of the notifies of its rank which it posts afterwards
 * @param line of the file
 */
@API(status = INTERNAL, since = "0.1")
public record Step(StepType type, Chunks source, Chunks target, List<Integer> awaits, List<Integer> posts, int line) {

    public Step {
        awaits = List.copyOf(awaits);
        posts = List.copyOf(posts);
    }

    /** Number of chunks. */
    public int count() {
        return type.reads() ? source.count() : target.count();
    }
}
