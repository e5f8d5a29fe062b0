package org.rankunit.distributed.pe.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.distributed.pe.Direction;

/**
 * Runs the lanes of one launch, few at a time, each until it has to wait. Every queue has one sender and one receiver, and both wait for
 * it alone. So what a lane computes, and when by the model, does not depend on the order in which lanes really run (a Kahn process
 * network). When no lane can go on, the launch has ended, or it waits for other SIPs, or forever.
 */
final class Launch {

    /** Thrown in a lane that waits when the launch is over. */
    private static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1;

        Ended() {
            super("the launch is over", null, false, false);
        }
    }

    private static final int RUNNING = Math.max(1, Runtime.getRuntime().availableProcessors());

    private final Map<Integer, Lane> lanes = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private final Map<Lane, Condition> wakeups = new HashMap<>();
    private final Semaphore permits = new Semaphore(RUNNING);
    private final Map<Lane, Thread> threads = new HashMap<>();

    /** For lanes of other processes. */
    private List<Packet> outgoing = new ArrayList<>();

    private int running;
    private boolean over;

    Launch(List<Lane> lanes) {
        for (Lane lane : lanes) {
            this.lanes.put(lane.rank(), lane);
            wakeups.put(lane, lock.newCondition());
        }
    }

    /** The lanes of this process, by rank. */
    List<Lane> lanes() {
        return lanes.values().stream()
                .sorted(Comparator.comparingInt(Lane::rank))
                .toList();
    }

    /** Start a kernel on every lane. */
    void start(Executor executor, Consumer<Lane> kernel) {
        running = lanes.size();
        lanes.values().forEach(lane -> executor.execute(() -> run(lane, kernel)));
    }

    private void run(Lane lane, Consumer<Lane> kernel) {
        permits.acquireUninterruptibly();
        Throwable failure = null;
        try {
            begun(lane);
            kernel.accept(lane);
        } catch (Ended e) {
            // The lane waited when the launch was over, which has its own message.
        } catch (Throwable e) {
            failure = e;
        } finally {
            permits.release();
            ended(lane, failure);
        }
    }

    private void begun(Lane lane) {
        lock.lock();
        try {
            threads.put(lane, Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    private void ended(Lane lane, @Nullable Throwable failure) {
        lock.lock();
        try {
            threads.remove(lane);
            lane.failure = failure;
            lane.state = Lane.State.ENDED;
            running--;
            quiet.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Let a lane use a queue once this is so. Called on the thread of the lane. */
    void whenReady(Lane lane, Direction direction, BooleanSupplier ready, String awaited, Runnable use) {
        lock.lock();
        try {
            if (!ready.getAsBoolean()) {
                await(lane, direction, ready, awaited);
            }
            use.run();
        } finally {
            lock.unlock();
        }
    }

    private void await(Lane lane, Direction direction, BooleanSupplier ready, String awaited) {
        lane.state = Lane.State.WAITS;
        lane.ready = ready;
        lane.direction = direction;
        lane.awaited = awaited;
        running--;
        quiet.signalAll();
        permits.release();
        Condition wakeup = wakeup(lane);
        while (lane.state == Lane.State.WAITS) {
            wakeup.awaitUninterruptibly();
        }
        // Not with the lock, which those that run need.
        lock.unlock();
        permits.acquireUninterruptibly();
        lock.lock();
        if (over) {
            throw new Ended();
        }
    }

    /** Hand on a packet that a lane has made. Called with the lock, by {@link #whenReady}. */
    void hand(Packet packet) {
        Lane receiver = lanes.get(packet.to());
        if (receiver == null) {
            outgoing.add(packet);
            return;
        }
        Queue queue = receiver.queue(packet.end());
        if (packet instanceof Packet.Message message) {
            queue.arrive(message);
        } else if (packet instanceof Packet.Credit credit) {
            queue.credit(credit);
        }
        if (receiver.state == Lane.State.WAITS && receiver.ready != null && receiver.ready.getAsBoolean()) {
            wake(receiver);
        }
    }

    private Condition wakeup(Lane lane) {
        return Objects.requireNonNull(wakeups.get(lane));
    }

    private void wake(Lane lane) {
        lane.state = Lane.State.RUNS;
        lane.ready = null;
        running++;
        wakeup(lane).signal();
    }

    /**
     * Wait until no lane can go on.
     *
     * @return false if some still run at the deadline
     */
    boolean awaitQuiet(long deadline) throws InterruptedException {
        lock.lock();
        try {
            while (running > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                quiet.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Take what lanes of other processes must get. */
    List<Packet> takeOutgoing() {
        lock.lock();
        try {
            List<Packet> taken = outgoing;
            outgoing = new ArrayList<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Hand on what other processes have sent to lanes of this one; returns how many packets that were. */
    int deliver(List<Packet> packets) {
        lock.lock();
        try {
            int delivered = 0;
            for (Packet packet : packets) {
                if (lanes.containsKey(packet.to())) {
                    hand(packet);
                    delivered++;
                }
            }
            return delivered;
        } finally {
            lock.unlock();
        }
    }

    boolean hasEnded() {
        return lanes.values().stream().allMatch(lane -> lane.state == Lane.State.ENDED);
    }

    /** Describe what the lanes that run are doing, a line each. */
    List<String> running() {
        lock.lock();
        try {
            List<String> described = new ArrayList<>();
            threads.forEach((lane, thread) -> {
                if (lane.state == Lane.State.RUNS) {
                    StackTraceElement[] stack = thread.getStackTrace();
                    described.add("PE " + lane.rank() + " runs" + (stack.length == 0 ? "" : " at " + stack[0]));
                }
            });
            return described;
        } finally {
            lock.unlock();
        }
    }

    /** End all lanes that wait, and interrupt those that run; wait until they have ended, but no longer than a second. */
    void end() throws InterruptedException {
        lock.lock();
        try {
            over = true;
            lanes.values().stream()
                    .filter(lane -> lane.state == Lane.State.WAITS)
                    .forEach(this::wake);
            threads.values().forEach(Thread::interrupt);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (!hasEnded()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                quiet.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
