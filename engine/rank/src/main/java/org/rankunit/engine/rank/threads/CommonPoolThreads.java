package org.rankunit.engine.rank.threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/** Makes the threads of the common pool, such as those of parallel streams, like those of other pools: else they inherit nothing. */
public final class CommonPoolThreads implements ForkJoinPool.ForkJoinWorkerThreadFactory {

    /** Called by the JDK. */
    public CommonPoolThreads() {}

    @Override
    public @Nullable ForkJoinWorkerThread newThread(ForkJoinPool pool) {
        return ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    }
}
