package org.rankunit.engine.cases;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Two threads that meet where it is not obvious what orders them; all of them are ordered. */
@DeviceCount(1)
@Platforms("a2a3sim")
@Buffer(name = "x", type = DType.INT32, count = 4)
public final class ThreadMeetingCases {

    private static void write(RankContext rank) {
        rank.buffer("x").write(1, 2, 3, 4);
    }

    private static void read(RankContext rank) {
        rank.buffer("x").readInts();
    }

    private static void sleep() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** While tasks wait in the queue of a pool, who puts one there and who takes one use different locks. */
    @Test
    void aPoolThatIsBehind(RankContext rank) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        List<Future<?>> sleeps = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sleeps.add(pool.submit(ThreadMeetingCases::sleep));
        }
        write(rank);
        Future<?> last = pool.submit(() -> write(rank));
        for (Future<?> each : sleeps) {
            each.get();
        }
        last.get();
        read(rank);
        pool.shutdown();
    }

    @Test
    void aQueueThroughMethodsOfItsBaseClass(RankContext rank) throws InterruptedException {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        new Thread(() -> {
                    queue.add(1);
                    write(rank);
                    queue.add(2);
                })
                .start();
        queue.take();
        while (queue.take() != 2) {
            Thread.onSpinWait();
        }
        read(rank);
    }

    @Test
    void aServiceThatTellsWhatIsComplete(RankContext rank) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ExecutorCompletionService<Void> service = new ExecutorCompletionService<>(pool);
        Future<Void> written = service.submit(() -> write(rank), null);
        if (service.take() != written) {
            throw new IllegalStateException("another task is complete");
        }
        read(rank);
        pool.shutdown();
    }

    private synchronized void fail(RankContext rank) {
        write(rank);
        throw new IllegalStateException(Thread.currentThread().getName());
    }

    private void failInTurn(RankContext rank) {
        try {
            fail(rank);
        } catch (IllegalStateException e) {
            sleep();
        }
    }

    /** Nothing but the monitor orders the two. */
    @Test
    void anExceptionThatLeavesASynchronizedMethod(RankContext rank) throws InterruptedException {
        Thread other = new Thread(() -> failInTurn(rank));
        other.start();
        failInTurn(rank);
        other.join();
    }

    /** The field is named by another class than the one that declares it. */
    private static class Base {

        static volatile boolean flag;
    }

    private static final class Derived extends Base {

        static boolean look() {
            return flag;
        }
    }

    @Test
    void aStaticFieldThatIsInherited(RankContext rank) {
        new Thread(() -> {
                    write(rank);
                    Base.flag = true;
                })
                .start();
        while (!Derived.look()) {
            Thread.onSpinWait();
        }
        read(rank);
    }

    private static final class Holder {

        private volatile boolean ready;

        @SuppressWarnings("UnusedVariable") // by the updater
        private volatile int count;
    }

    private static final AtomicIntegerFieldUpdater<Holder> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(Holder.class, "count");

    private record Announcer(Holder holder) {

        Announcer {
            holder.ready = true;
        }
    }

    @Test
    void aFieldThatAConstructorOfAnotherClassWrites(RankContext rank) {
        Holder holder = new Holder();
        new Thread(() -> {
                    write(rank);
                    new Announcer(holder);
                })
                .start();
        while (!holder.ready) {
            Thread.onSpinWait();
        }
        read(rank);
    }

    @Test
    void aFieldThatAnUpdaterWrites(RankContext rank) {
        Holder holder = new Holder();
        new Thread(() -> {
                    write(rank);
                    COUNT.incrementAndGet(holder);
                })
                .start();
        while (COUNT.get(holder) == 0) {
            Thread.onSpinWait();
        }
        read(rank);
    }

    @Test
    void aReferenceToAMethodOfAnAtomic(RankContext rank) {
        AtomicInteger count = new AtomicInteger();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> write(rank));
        pool.execute(count::incrementAndGet);
        while (count.get() == 0) {
            Thread.onSpinWait();
        }
        read(rank);
        pool.shutdown();
    }

    @Test
    void tasksThatAreInvokedTogether(RankContext rank) {
        new ForkJoinPool(2).invoke(new RecursiveAction() {

            private static final long serialVersionUID = 1;

            @Override
            protected void compute() {
                write(rank);
                ForkJoinTask.invokeAll(ForkJoinTask.adapt(() -> read(rank)), ForkJoinTask.adapt(() -> read(rank)));
                write(rank);
            }
        });
        read(rank);
    }

    @Test
    void anInterrupt(RankContext rank) {
        Thread self = Thread.currentThread();
        Thread other = new Thread(() -> {
            write(rank);
            self.interrupt();
        });
        try {
            other.start();
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            read(rank);
        }
    }

    @Test
    void aThreadThatInheritsNothing(RankContext rank) throws InterruptedException {
        write(rank);
        Thread other = new Thread(null, () -> write(rank), "plain", 0, false);
        other.start();
        other.join();
        read(rank);
    }

    @Test
    void aThreadThatIsNoLongerAlive(RankContext rank) {
        Thread other = new Thread(() -> write(rank));
        other.start();
        while (other.isAlive()) {
            Thread.onSpinWait();
        }
        read(rank);
    }

    @Test
    void aViewOfAStampedLock(RankContext rank) throws InterruptedException {
        Lock lock = new StampedLock().asReadWriteLock().writeLock();
        Runnable inTurn = () -> {
            lock.lock();
            try {
                write(rank);
            } finally {
                lock.unlock();
            }
        };
        Thread other = new Thread(inTurn);
        other.start();
        inTurn.run();
        other.join();
    }

    @Test
    void collections(RankContext rank) throws InterruptedException {
        List<String> free = new CopyOnWriteArrayList<>();
        List<String> locked = Collections.synchronizedList(new ArrayList<>());
        Thread reader = new Thread(() -> {
            write(rank);
            free.add("written");
            while (locked.isEmpty()) {
                Thread.onSpinWait();
            }
            read(rank);
        });
        reader.start();
        while (free.isEmpty()) {
            Thread.onSpinWait();
        }
        write(rank);
        locked.add("written");
        reader.join();
    }
}
