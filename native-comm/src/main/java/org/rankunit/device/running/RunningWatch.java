package org.rankunit.device.running;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Reports kernels that run for too long, on a thread of its own. A kernel cannot be stopped from outside, so nothing more can be
 * done about it.
 *
 * <p>The time that a kernel waits for others does not count: such a wait has a time-out of its own. A kernel that looks again and
 * again whether it may go on waits as well, so it is late only when a wait would be. So the kernel that never ends is found, and not
 * the one on another rank that waits for its signal.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class RunningWatch {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** A kernel that has not looked at what others do for so long does something else. */
    private static final Duration POLLS = Duration.ofSeconds(1);

    private final RunningKernels kernels;
    private final Duration limit;
    private final Supplier<Duration> waitLimit;
    private final IntFunction<List<String>> code;
    private final Consumer<LateKernel> late;

    /** When the kernel in a slot began that was reported. */
    private final Map<Integer, Long> told = new HashMap<>();

    /**
     * Prepares to watch.
     *
     * @param limit how long a kernel may run
     * @param waitLimit how long it may wait
     * @param code where a thread is in its code
     * @param late called once for each kernel that exceeds the limit
     */
    public RunningWatch(
            RunningKernels kernels,
            Duration limit,
            Supplier<Duration> waitLimit,
            IntFunction<List<String>> code,
            Consumer<LateKernel> late) {
        this.kernels = kernels;
        this.limit = limit;
        this.waitLimit = waitLimit;
        this.code = code;
        this.late = late;
    }

    /** Watches until the process ends. */
    public void start() {
        Thread watcher = new Thread(this::watch, "rankunit-kernel-watch");
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch() {
        Duration pause = limit.dividedBy(8);
        pause = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        while (true) {
            LockSupport.parkNanos(this, pause.toNanos());
            look();
        }
    }

    private void look() {
        long now = System.nanoTime();
        for (RunningKernel kernel : kernels.kernels()) {
            if (isLate(kernel, now) && !Long.valueOf(kernel.beganNanos()).equals(told.get(kernel.slot()))) {
                told.put(kernel.slot(), kernel.beganNanos());
                late.accept(new LateKernel(kernel.name(), kernel.where(), code.apply(kernel.thread())));
            }
        }
    }

    private boolean isLate(RunningKernel kernel, long now) {
        boolean polls = kernel.polledNanos() != 0 && now - kernel.polledNanos() < POLLS.toNanos();
        Duration allowed = polls ? waitLimit.get() : limit;
        return !kernel.waits() && now - kernel.beganNanos() > allowed.toNanos();
    }
}
