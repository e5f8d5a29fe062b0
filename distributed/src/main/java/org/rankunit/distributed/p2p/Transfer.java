package org.rankunit.distributed.p2p;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apiguardian.api.API;

/** A message that is under way on this rank. Thread-safe. */
@API(status = INTERNAL, since = "0.1")
public final class Transfer {

    private final CompletableFuture<Void> done;
    private volatile boolean seen;

    Transfer(CompletableFuture<Void> done) {
        this.done = done;
    }

    public CompletableFuture<Void> done() {
        return done;
    }

    /** Its end has been observed, so that {@link PointToPoint#close} does not need to tell. */
    public void seen() {
        seen = true;
    }

    /** Whether it no longer needs to be reported. */
    boolean isSettled() {
        return seen ? done.isDone() : done.isDone() && !done.isCompletedExceptionally();
    }

    /** Wait for the end of it. Get the failure that has not been seen, if there is one. */
    Optional<RuntimeException> unseenFailure() {
        Optional<RuntimeException> failure = failureOf(done);
        return seen ? Optional.empty() : failure;
    }

    static Optional<RuntimeException> failureOf(CompletableFuture<?> done) {
        try {
            done.join();
            return Optional.empty();
        } catch (CompletionException e) {
            return Optional.of(e.getCause() instanceof RuntimeException cause ? cause : e);
        }
    }
}
