package org.rankunit.engine.link;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.rankunit.engine.protocol.wire.Channel;

/**
 * Asks the ranks of a group on other nodes for signs of life, on a thread of its own: a group that is kept for later tests has no
 * other thread, and its ranks end themselves when they hear nothing.
 */
final class SignsOfLife implements AutoCloseable {

    /** How often each rank is asked. */
    static final Duration INTERVAL = Duration.ofMillis(250);

    private final List<RankLink> links;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param links a list that other threads may extend while this object exists */
    SignsOfLife(List<RankLink> links) {
        this.links = links;
    }

    void start() {
        Thread thread = new Thread(this::ask, "rankunit-signs-of-life");
        thread.setDaemon(true);
        thread.start();
    }

    private void ask() {
        try {
            while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                for (RankLink link : links) {
                    Channel channel = link.channel();
                    if (channel != null) {
                        // If it cannot be sent, the thread that listens to the ranks notices.
                        channel.trySign();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
