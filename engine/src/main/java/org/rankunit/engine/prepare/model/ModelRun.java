package org.rankunit.engine.prepare.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.protocol.RankData;
import org.rankunit.engine.protocol.UserCode;
import org.rankunit.engine.protocol.Variant;
import org.rankunit.engine.protocol.VariantRank;

/** Calls a model, on threads of their own and for a limited time. */
final class ModelRun {

    private final Variant variant;
    private final Optional<Duration> limit;
    private final ClassLoader loader;
    private final Consumer<String> askedFor;
    private final long begin = System.nanoTime();
    private boolean takesTooLong;

    /**
     * Prepare to call a model.
     *
     * @param loader has the model and what it uses
     * @param askedFor takes the names of parameters that the model asks for
     */
    ModelRun(ModelRequest request, ClassLoader loader, Consumer<String> askedFor) {
        this.variant = request.variant();
        this.limit =
                Optional.of(request.limitMillis()).filter(millis -> millis > 0).map(Duration::ofMillis);
        this.loader = loader;
        this.askedFor = askedFor;
    }

    /** Whether threads of the model still run: those that have its class loader. */
    boolean stillRuns() {
        return takesTooLong
                || Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getContextClassLoader() == loader);
    }

    /** Compute what one rank gets, with a new instance of the model. */
    RankData of(int rank) throws GoldenException, InterruptedException {
        VariantRank of = new VariantRank(variant, rank, null, askedFor);
        RankData data = new RankData(of);
        FutureTask<RankData> task = new FutureTask<>(() -> {
            variant.newModel(loader).compute(of, data);
            return data;
        });
        Thread thread = new Thread(task, "rankunit-golden-model");
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        try {
            await(thread);
            if (thread.isAlive()) {
                throw takesTooLong(rank, thread);
            }
            return task.get();
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            throw new GoldenException(threw(rank, cause), cause);
        } catch (InterruptedException e) {
            task.cancel(true);
            throw e;
        }
    }

    /** Wait for its end: after that, only what it has started may still run. */
    private void await(Thread thread) throws InterruptedException {
        if (limit.isPresent()) {
            TimeUnit.NANOSECONDS.timedJoin(thread, leftOf(limit.get()));
        } else {
            thread.join();
        }
    }

    private GoldenException takesTooLong(int rank, Thread thread) {
        String where = place(thread.getStackTrace());
        thread.interrupt();
        takesTooLong = true;
        return new GoldenException(shown() + " takes longer than "
                + limit.orElseThrow().toMillis() + " ms for all ranks. For "
                + name(rank)
                + " it was" + (where.isEmpty() ? " not in your code" : where)
                + ". Make it faster, or set " + ConfigKey.TEST_TIMEOUT.key()
                + " or @RankTimeout, which apply to it as to the test.");
    }

    private long leftOf(Duration all) {
        return Math.max(0, all.toNanos() - (System.nanoTime() - begin));
    }

    /** Name the model and the place of its annotation. */
    String shown() {
        return variant.source().place() + ": the golden model "
                + variant.source().model();
    }

    String name(int rank) {
        return "rank " + rank + " of " + variant.test().ranks();
    }

    private String threw(int rank, Throwable cause) {
        return shown() + " threw " + cause + " for " + name(rank) + place(cause.getStackTrace())
                + ". Correct the model; no rank was started.";
    }

    /** Find who has called {@link System#exit}, which waits for the hooks of the JVM; empty if none did. */
    static String placeOfExit() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().equals("java.lang.Runtime")
                                && frame.getMethodName().equals("exit")))
                .map(ModelRun::place)
                .findFirst()
                .orElse("");
    }

    private static String place(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> UserCode.includes(frame.getClassName()))
                .findFirst()
                .map(frame -> " at " + frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName()
                        + ":" + frame.getLineNumber() + ")")
                .orElse("");
    }
}
