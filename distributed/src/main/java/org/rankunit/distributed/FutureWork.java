package org.rankunit.distributed;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.rankunit.distributed.pe.run.KernelException;

/** A call that another thread makes. */
final class FutureWork<T> implements Work {

    private final CompletableFuture<T> future;
    private final Function<T, OptionalDouble> nanoseconds;

    /** @param nanoseconds that the result took by the model; empty if there is no model */
    FutureWork(CompletableFuture<T> future, Function<T, OptionalDouble> nanoseconds) {
        this.future = future;
        this.nanoseconds = nanoseconds;
    }

    @Override
    public boolean isCompleted() {
        return future.isDone();
    }

    private T result() {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw unwrapped(e);
        }
    }

    private static RuntimeException unwrapped(Exception e) {
        if (e.getCause() instanceof KernelException kernels) {
            return kernels.toldHere();
        }
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }

    @Override
    public void await() {
        result();
    }

    @Override
    public boolean await(Duration limit) {
        try {
            future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw unwrapped(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public OptionalDouble modelledNanoseconds() {
        return nanoseconds.apply(result());
    }
}
