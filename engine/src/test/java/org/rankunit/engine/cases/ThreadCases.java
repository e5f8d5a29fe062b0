package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Tests whose threads access the same memory of a device. */
public final class ThreadCases {

    private ThreadCases() {}

    private static void write(RankContext rank) {
        rank.buffer("x").write(1, 2, 3, 4);
    }

    private static void read(RankContext rank) {
        rank.buffer("x").readInts();
    }

    /** Each orders two threads in another way. */
    @Nested
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @Buffer(name = "x", type = DType.INT32, count = 4)
    public static final class Ordered {

        private static final BlockingQueue<Runnable> ORDERS = new ArrayBlockingQueue<>(1);

        private final Object monitor = new Object();
        private volatile boolean done;
        private volatile long wide;
        private boolean guarded;

        /** A thread that was there before the first test. */
        @BeforeAll
        static void startService() {
            Thread service = new Thread(() -> {
                try {
                    for (; ; ) {
                        ORDERS.take().run();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            service.setDaemon(true);
            service.start();
        }

        @Test
        void aServiceOfAllTests(RankContext rank) throws InterruptedException {
            CountDownLatch written = new CountDownLatch(1);
            write(rank);
            ORDERS.put(() -> {
                write(rank);
                written.countDown();
            });
            written.await();
            read(rank);
        }

        @Test
        void startAndJoin(RankContext rank) throws InterruptedException {
            write(rank);
            Thread reader = new Thread(() -> {
                read(rank);
                write(rank);
            });
            write(rank);
            reader.start();
            reader.join();
            read(rank);
        }

        @Test
        void aSubclassOfThread(RankContext rank) throws InterruptedException {
            write(rank);
            Thread writer = new Thread() {
                @Override
                public void run() {
                    write(rank);
                }
            };
            writer.start();
            writer.join();
            write(rank);
        }

        @Test
        void futuresOfAPool(RankContext rank) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            try {
                for (int turn = 0; turn < 6; turn++) {
                    write(rank);
                    pool.submit(() -> write(rank)).get();
                    Callable<Integer> reading = () -> {
                        read(rank);
                        return 1;
                    };
                    for (Future<Integer> each : pool.invokeAll(List.of(reading, reading))) {
                        each.get();
                    }
                }
            } finally {
                pool.shutdown();
            }
        }

        @Test
        void aPoolThatHandsOverDirectly(RankContext rank) throws Exception {
            ExecutorService pool = Executors.newCachedThreadPool();
            try {
                for (int turn = 0; turn < 6; turn++) {
                    write(rank);
                    pool.submit(() -> write(rank)).get();
                }
            } finally {
                pool.shutdown();
            }
        }

        @Test
        void aLatch(RankContext rank) throws InterruptedException {
            CountDownLatch written = new CountDownLatch(1);
            new Thread(() -> {
                        write(rank);
                        written.countDown();
                    })
                    .start();
            written.await();
            read(rank);
        }

        @Test
        void aSynchronizedBlock(RankContext rank) throws InterruptedException {
            Thread other = new Thread(() -> {
                for (int turn = 0; turn < 10; turn++) {
                    synchronized (monitor) {
                        write(rank);
                    }
                }
            });
            other.start();
            for (int turn = 0; turn < 10; turn++) {
                synchronized (monitor) {
                    write(rank);
                }
            }
            other.join();
        }

        private synchronized void writeInTurn(RankContext rank) {
            write(rank);
        }

        @Test
        void synchronizedMethods(RankContext rank) throws InterruptedException {
            Thread other = new Thread(() -> writeInTurn(rank));
            other.start();
            writeInTurn(rank);
            other.join();
        }

        @Test
        void waitAndNotify(RankContext rank) throws InterruptedException {
            new Thread(() -> {
                        write(rank);
                        synchronized (monitor) {
                            guarded = true;
                            monitor.notifyAll();
                        }
                    })
                    .start();
            synchronized (monitor) {
                while (!guarded) {
                    monitor.wait(10_000);
                }
            }
            read(rank);
        }

        @Test
        void aVolatileField(RankContext rank) {
            new Thread(() -> {
                        write(rank);
                        done = true;
                    })
                    .start();
            while (!done) {
                Thread.onSpinWait();
            }
            read(rank);
        }

        @Test
        void aVolatileFieldOfTwoWords(RankContext rank) {
            new Thread(() -> {
                        write(rank);
                        wide = 1L << 40;
                    })
                    .start();
            while (wide == 0) {
                Thread.onSpinWait();
            }
            read(rank);
        }

        @Test
        void atomicObjects(RankContext rank) throws InterruptedException {
            AtomicBoolean written = new AtomicBoolean();
            AtomicReference<String> text = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                write(rank);
                written.set(true);
                while (text.get() == null) {
                    Thread.onSpinWait();
                }
                read(rank);
            });
            reader.start();
            while (!written.get()) {
                Thread.onSpinWait();
            }
            write(rank);
            text.compareAndSet(null, "read");
            reader.join();
        }

        @Test
        void locksAndConditions(RankContext rank) throws InterruptedException {
            ReentrantLock lock = new ReentrantLock();
            Condition changed = lock.newCondition();
            boolean[] written = new boolean[1];
            new Thread(() -> {
                        lock.lock();
                        try {
                            write(rank);
                            written[0] = true;
                            changed.signalAll();
                        } finally {
                            lock.unlock();
                        }
                    })
                    .start();
            lock.lock();
            try {
                while (!written[0]) {
                    changed.await(10, TimeUnit.SECONDS);
                }
                read(rank);
            } finally {
                lock.unlock();
            }
        }

        @Test
        void aStampedLock(RankContext rank) throws InterruptedException {
            StampedLock lock = new StampedLock();
            Runnable inTurn = () -> {
                long stamp = lock.writeLock();
                write(rank);
                lock.unlockWrite(stamp);
            };
            Thread other = new Thread(inTurn);
            other.start();
            inTurn.run();
            other.join();
        }

        @Test
        void queues(RankContext rank) throws InterruptedException {
            BlockingQueue<String> bounded = new ArrayBlockingQueue<>(1);
            BlockingQueue<String> direct = new SynchronousQueue<>();
            ConcurrentLinkedQueue<String> free = new ConcurrentLinkedQueue<>();
            Thread other = new Thread(() -> {
                try {
                    write(rank);
                    bounded.put("written");
                    direct.take();
                    write(rank);
                    free.add("written");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            other.start();
            bounded.take();
            write(rank);
            direct.put("written");
            while (free.poll() == null) {
                Thread.onSpinWait();
            }
            read(rank);
        }

        @Test
        void aSemaphoreABarrierAndAPhaser(RankContext rank) throws Exception {
            Semaphore permits = new Semaphore(0);
            CyclicBarrier barrier = new CyclicBarrier(2);
            Phaser phaser = new Phaser(2);
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                try {
                    write(rank);
                    permits.release();
                    barrier.await();
                    write(rank);
                    phaser.arriveAndAwaitAdvance();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            permits.acquire();
            write(rank);
            barrier.await();
            phaser.arriveAndAwaitAdvance();
            read(rank);
            other.get();
        }

        @Test
        void parkingAndAnExchange(RankContext rank) throws InterruptedException {
            Thread self = Thread.currentThread();
            Exchanger<String> exchanger = new Exchanger<>();
            Thread other = new Thread(() -> {
                try {
                    write(rank);
                    exchanger.exchange("written");
                    exchanger.exchange("read");
                    write(rank);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                LockSupport.unpark(self);
            });
            other.start();
            exchanger.exchange("begin");
            read(rank);
            exchanger.exchange("read");
            while (other.isAlive()) {
                LockSupport.parkNanos(1_000_000_000);
            }
            other.join();
            read(rank);
        }

        @Test
        void completableFutures(RankContext rank) throws Exception {
            write(rank);
            CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> {
                write(rank);
                return 1;
            });
            CompletableFuture<Integer> second = first.thenApplyAsync(one -> {
                write(rank);
                return one + 1;
            });
            second.thenCombineAsync(CompletableFuture.completedFuture(3), (two, three) -> {
                        write(rank);
                        return two + three;
                    })
                    .get();
            read(rank);
        }

        @Test
        void parallelStreams(RankContext rank) {
            write(rank);
            for (int turn = 0; turn < 5; turn++) {
                IntStream.range(0, 8).parallel().forEach(each -> read(rank));
                write(rank);
            }
        }

        @Test
        void aMap(RankContext rank) {
            ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
            new Thread(() -> {
                        write(rank);
                        map.put("written", "yes");
                    })
                    .start();
            while (!map.containsKey("written")) {
                Thread.onSpinWait();
            }
            read(rank);
        }

        @Test
        void anAssertionInAnotherThread(RankContext rank) {
            write(rank);
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> write(rank));
            read(rank);
        }

        @Test
        @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void aTestInAnotherThread(RankContext rank) {
            write(rank);
            read(rank);
        }

        @Test
        void throughAThreadThatDoesNothingElse(RankContext rank) throws InterruptedException {
            CountDownLatch first = new CountDownLatch(1);
            CountDownLatch second = new CountDownLatch(1);
            new Thread(() -> {
                        try {
                            first.await();
                            second.countDown();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    })
                    .start();
            new Thread(() -> {
                        write(rank);
                        first.countDown();
                    })
                    .start();
            second.await();
            read(rank);
        }
    }

    /** Each ends in the right order, by luck. */
    @Nested
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @Buffer(name = "x", type = DType.INT32, count = 4)
    public static final class Unordered {

        private final Object monitor = new Object();

        /** It lets no other thread know what this one did. */
        private static void sleep() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Test
        void twoThatWrite(RankContext rank) throws InterruptedException {
            Thread first = new Thread(() -> write(rank), "first");
            Thread second = new Thread(() -> write(rank), "second");
            first.start();
            sleep();
            second.start();
            first.join();
            second.join();
        }

        @Test
        void oneThatSleepsAndReads(RankContext rank) throws InterruptedException {
            Thread writer = new Thread(() -> write(rank), "writer");
            writer.start();
            sleep();
            read(rank);
            writer.join();
        }

        @Test
        void oneThatLaunches(RankContext rank) throws InterruptedException {
            Thread reader = new Thread(
                    () -> {
                        sleep();
                        read(rank);
                    },
                    "reader");
            reader.start();
            rank.device().copyIn(rank.buffer("x").address(), ByteBuffer.allocateDirect(16));
            reader.join();
        }

        @Test
        void locksOfTheirOwn(RankContext rank) throws InterruptedException {
            Object other = new Object();
            Thread writer = new Thread(() -> {
                synchronized (other) {
                    write(rank);
                }
            });
            writer.start();
            sleep();
            synchronized (monitor) {
                read(rank);
            }
            writer.join();
        }

        @Test
        void aLatchThatCountsTooEarly(RankContext rank) throws InterruptedException {
            CountDownLatch latch = new CountDownLatch(1);
            Thread writer = new Thread(() -> {
                latch.countDown();
                write(rank);
            });
            writer.start();
            latch.await();
            sleep();
            read(rank);
            writer.join();
        }

        private volatile int begun;
        private volatile int progress;

        /** The main thread reads one field, and the other thread writes another one after what matters. */
        @Test
        void aFieldThatSaysNothing(RankContext rank) throws InterruptedException {
            Thread writer = new Thread(() -> {
                begun = 1;
                write(rank);
                progress = 1;
            });
            writer.start();
            sleep();
            while (begun == 0) {
                Thread.onSpinWait();
            }
            read(rank);
            writer.join();
            if (progress == 0) {
                throw new IllegalStateException("the writer has not come to its end");
            }
        }

        @Test
        void aTaskThatNobodyWaitsFor(RankContext rank) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(1);
            pool.execute(() -> write(rank));
            sleep();
            read(rank);
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);
        }
    }
}
