package org.rankunit.collective.verify;

import java.util.function.IntPredicate;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;

/** An algorithm without the task that has this number on some ranks. */
final class SkippedTask implements CollectiveAlgorithm {

    private final CollectiveAlgorithm algorithm;
    private final int number;
    private final IntPredicate ranks;

    SkippedTask(CollectiveAlgorithm algorithm, int number) {
        this(algorithm, number, rank -> true);
    }

    SkippedTask(CollectiveAlgorithm algorithm, int number, IntPredicate ranks) {
        this.algorithm = algorithm;
        this.number = number;
        this.ranks = ranks;
    }

    /** How many tasks an algorithm queues on each rank, those that move no bytes included. */
    static int tasks(CollectiveAlgorithm algorithm, CollectiveCall call) {
        SkippedTask none = new SkippedTask(algorithm, -1);
        Counted counted = new Counted(none);
        Schedule.ofRank(counted, call, 0);
        return counted.tasks;
    }

    /** Remembers how many tasks were queued last. */
    private static final class Counted implements CollectiveAlgorithm {

        private final SkippedTask algorithm;
        private int tasks;

        Counted(SkippedTask algorithm) {
            this.algorithm = algorithm;
        }

        @Override
        public Collective collective() {
            return algorithm.collective();
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return algorithm.resources(call, rank);
        }

        @Override
        public void orchestrate(Orchestration rank) {
            tasks = algorithm.queue(rank);
        }
    }

    @Override
    public Collective collective() {
        return algorithm.collective();
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return algorithm.symmetry(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return algorithm.resources(call, rank);
    }

    @Override
    public void orchestrate(Orchestration rank) {
        queue(rank);
    }

    private int queue(Orchestration rank) {
        Without without = new Without(rank, ranks.test(rank.rank()) ? number : -1);
        algorithm.orchestrate(without);
        return without.next;
    }

    /** Queues all tasks but one. */
    private static final class Without implements Orchestration {

        private final Orchestration inner;
        private final int skipped;
        private int next;

        Without(Orchestration inner, int skipped) {
            this.inner = inner;
            this.skipped = skipped;
        }

        private void queue(Runnable task) {
            if (next++ != skipped) {
                task.run();
            }
        }

        @Override
        public CollectiveCall call() {
            return inner.call();
        }

        @Override
        public int rank() {
            return inner.rank();
        }

        @Override
        public TaskStream main() {
            return new Stream(inner.main());
        }

        @Override
        public TaskStream sub(int number) {
            return new Stream(inner.sub(number));
        }

        @Override
        public LocalNotify notify(int number) {
            return inner.notify(number);
        }

        @Override
        public Link link(int peer, int number) {
            return inner.link(peer, number);
        }

        @Override
        public Region buffer(BufferKind kind, int rank) {
            return inner.buffer(kind, rank);
        }

        private final class Stream implements TaskStream {

            private final TaskStream stream;

            Stream(TaskStream stream) {
                this.stream = stream;
            }

            @Override
            public void copy(Region from, Region to) {
                queue(() -> stream.copy(from, to));
            }

            @Override
            public void reduce(Region from, Region to) {
                queue(() -> stream.reduce(from, to));
            }

            @Override
            public void put(Link link, Region from, Region to) {
                queue(() -> stream.put(link, from, to));
            }

            @Override
            public void get(Link link, Region from, Region to) {
                queue(() -> stream.get(link, from, to));
            }

            @Override
            public void putReduce(Link link, Region from, Region to) {
                queue(() -> stream.putReduce(link, from, to));
            }

            @Override
            public void getReduce(Link link, Region from, Region to) {
                queue(() -> stream.getReduce(link, from, to));
            }

            @Override
            public void post(LocalNotify notify) {
                queue(() -> stream.post(notify));
            }

            @Override
            public void waitFor(LocalNotify notify) {
                queue(() -> stream.waitFor(notify));
            }

            @Override
            public void post(Link link, Signal signal) {
                queue(() -> stream.post(link, signal));
            }

            @Override
            public void waitFor(Link link, Signal signal) {
                queue(() -> stream.waitFor(link, signal));
            }
        }
    }
}
