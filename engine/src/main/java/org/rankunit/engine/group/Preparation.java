package org.rankunit.engine.group;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.rankunit.engine.link.InterruptedGroupException;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.site.GroupKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group that is started on a thread of its own before it is needed.
 *
 * <p>The code that takes a preparation either awaits it and then owns the group, or gives it up.
 */
final class Preparation {

    private final GroupKind kind;
    private final FutureTask<Optional<RankGroup>> start;
    private final Thread thread;

    private Preparation(GroupKind kind, FutureTask<Optional<RankGroup>> start, Thread thread) {
        this.kind = kind;
        this.start = start;
        this.thread = thread;
    }

    /** Start a group in the background; {@code start} returns an empty result if its devices are not free. */
    static Preparation begin(GroupKind kind, Callable<Optional<RankGroup>> start) {
        FutureTask<Optional<RankGroup>> task = new FutureTask<>(start);
        Thread thread = new Thread(task, "rankunit-prepare");
        thread.setDaemon(true);
        thread.start();
        return new Preparation(kind, task, thread);
    }

    /** Whether these tests may run on it. The group has not run anything yet, so only its kind matters. */
    boolean serves(GroupPlan plan) {
        return kind.equals(plan.kind());
    }

    /**
     * Wait for the group. The time limit of its bring-up bounds the wait.
     *
     * @throws BringUpException if its start failed with it
     */
    Optional<RankGroup> await() throws BringUpException {
        try {
            return start.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BringUpException failed) {
                throw failed;
            } else if (e.getCause() instanceof RuntimeException failed) {
                throw failed;
            } else if (e.getCause() instanceof Error failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            giveUp().ifPresent(RankGroup::close);
            Thread.currentThread().interrupt();
            throw new InterruptedGroupException();
        }
    }

    /** Stop the start. If the group is up already, it is returned so that the caller can end it. */
    Optional<RankGroup> giveUp() {
        thread.interrupt();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return start.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    log().debug("A prepared group did not come up, and was not needed", e.getCause());
                    return Optional.empty();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(Preparation.class);
    }
}
