package org.rankunit.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.platform.engine.EngineExecutionListener;
import org.rankunit.engine.merge.Results;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.schedule.Workers;

/** Runs all classes of a run, one after the other or several at a time, and reports them to JUnit in their order. */
final class Classes {

    private final List<ClassPlan> plans;
    private final EngineExecutionListener listener;
    private final Consumer<TestResult> reports;
    private final Consumer<List<String>> output;

    Classes(
            List<ClassPlan> plans,
            EngineExecutionListener listener,
            Consumer<TestResult> reports,
            Consumer<List<String>> output) {
        this.plans = plans;
        this.listener = listener;
        this.reports = reports;
        this.output = output;
    }

    /** Run one class after the other, on this thread. */
    void inTurn(ClassRun run) {
        Results results = new Results(listener, reports, output);
        for (int i = 0; i < plans.size(); i++) {
            List<Integer> later = IntStream.range(i + 1, plans.size()).boxed().toList();
            run.run(plans.get(i), results, firstGroup(later));
        }
    }

    /**
     * Run classes on {@code threads} threads, each of which takes the next class. All threads have ended when this
     * method returns or throws.
     *
     * @param order the indices of all classes in the order in which they start
     */
    void atTheSameTime(ClassRun run, int threads, List<Integer> order) {
        List<Replay> replays =
                plans.stream().map(plan -> new Replay(listener, output)).toList();
        AtomicInteger next = new AtomicInteger();
        Workers workers = new Workers();
        try {
            for (int i = 0; i < threads; i++) {
                workers.start("rankunit-classes-" + i, () -> work(run, replays, order, next));
            }
            for (Replay replay : replays) {
                replay.play();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            next.set(plans.size());
            // An interrupted worker ends its group and then exits.
            workers.interrupt();
            workers.awaitEnd();
        }
    }

    private void work(ClassRun run, List<Replay> replays, List<Integer> order, AtomicInteger next) {
        for (int i = next.getAndIncrement(); i < order.size(); i = next.getAndIncrement()) {
            Replay replay = replays.get(order.get(i));
            Throwable broken = null;
            try {
                run.run(
                        plans.get(order.get(i)),
                        new Results(replay.listener(), reports, replay::output),
                        firstGroup(order.subList(Math.min(next.get(), order.size()), order.size())));
            } catch (RuntimeException | Error e) {
                // Rethrown where the class is reported, on the thread that JUnit called.
                broken = e;
            } finally {
                replay.end(broken);
            }
        }
    }

    private Optional<GroupPlan> firstGroup(List<Integer> later) {
        return later.stream().flatMap(i -> plans.get(i).groups().stream()).findFirst();
    }
}
