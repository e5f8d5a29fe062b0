package org.rankunit.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.platform.engine.EngineExecutionListener;
import org.rankunit.engine.merge.Results;
import org.rankunit.engine.merge.TestResult;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.schedule.Workers;

/** Runs all classes of a run: one after the other, or several at a time, and tells JUnit of them in their order. */
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
            run.run(plans.get(i), results, firstGroupFrom(i + 1));
        }
    }

    /** Run classes on {@code threads} threads, each taking the next class; whatever happens, none of them is left behind. */
    void atTheSameTime(ClassRun run, int threads) {
        List<Replay> replays =
                plans.stream().map(plan -> new Replay(listener, output)).toList();
        AtomicInteger next = new AtomicInteger();
        Workers workers = new Workers();
        try {
            for (int i = 0; i < threads; i++) {
                workers.start("rankunit-classes-" + i, () -> work(run, replays, next));
            }
            for (Replay replay : replays) {
                replay.play();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            next.set(plans.size());
            // Interrupted, a worker ends its group and comes to its end.
            workers.interrupt();
            workers.awaitEnd();
        }
    }

    private void work(ClassRun run, List<Replay> replays, AtomicInteger next) {
        for (int i = next.getAndIncrement(); i < plans.size(); i = next.getAndIncrement()) {
            Replay replay = replays.get(i);
            Throwable broken = null;
            try {
                run.run(
                        plans.get(i),
                        new Results(replay.listener(), reports, replay::output),
                        firstGroupFrom(next.get()));
            } catch (RuntimeException | Error e) {
                // Rethrown where the class is told of, on the thread that JUnit called.
                broken = e;
            } finally {
                replay.end(broken);
            }
        }
    }

    private Optional<GroupPlan> firstGroupFrom(int index) {
        for (int i = index; i < plans.size(); i++) {
            List<GroupPlan> groups = plans.get(i).groups();
            if (!groups.isEmpty()) {
                return Optional.of(groups.get(0));
            }
        }
        return Optional.empty();
    }
}
