package org.rankunit.engine.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.slf4j.LoggerFactory;

/**
 * Watches the groups of a run, on a thread of its own that ends with the run. Thread-safe.
 *
 * <p>Groups tell it what they do, which takes them less than a microsecond; it never calls them, and a console that blocks holds up
 * nothing but this thread.
 */
public final class Watch implements AutoCloseable {

    /** How long the end of a run waits for a console that blocks. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Durations durations;
    private final LongSupplier clock;
    private final Optional<View> view;
    private final AtomicLong keys = new AtomicLong();
    private final CountDownLatch end = new CountDownLatch(1);
    private @Nullable Thread thread;

    // Guarded by itself.
    private final List<WatchedGroup> groups = new ArrayList<>();

    /** @param view none if nothing is shown */
    Watch(Durations durations, LongSupplier clock, Optional<View> view) {
        this.durations = durations;
        this.clock = clock;
        this.view = view;
    }

    /** Begin to show what groups do. */
    Watch start() {
        view.ifPresent(each -> {
            Thread watching = new Thread(() -> showUntilEnd(each), "rankunit-watch");
            watching.setDaemon(true);
            watching.start();
            thread = watching;
        });
        return this;
    }

    /** Follow a group that will run these tests. */
    public WatchedGroup begin(GroupPlan plan) {
        WatchedGroup group = new WatchedGroup(plan, durations, clock, keys::incrementAndGet, this::remove);
        synchronized (groups) {
            groups.add(group);
        }
        return group;
    }

    private void remove(WatchedGroup group) {
        synchronized (groups) {
            groups.remove(group);
        }
    }

    List<GroupStatus> statuses() {
        List<WatchedGroup> present;
        synchronized (groups) {
            present = List.copyOf(groups);
        }
        return present.stream().map(WatchedGroup::status).toList();
    }

    private void showUntilEnd(View shown) {
        try (shown) {
            while (!end.await(shown.period().toMillis(), TimeUnit.MILLISECONDS)) {
                shown.show(statuses());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // No test fails because it could not be shown.
            LoggerFactory.getLogger(Watch.class).debug("Nothing more is shown for this run", e);
        }
    }

    @Override
    public void close() {
        end.countDown();
        Thread watching = thread;
        if (watching != null) {
            try {
                watching.join(PATIENCE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
