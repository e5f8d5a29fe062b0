package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.StreamFunctions;

/**
 * A point of a stream that the host and other streams can wait for. {@link Stream#record} sets it; it may be recorded
 * again, and a wait means the record before it.
 *
 * <p>Threads: any thread may call any method.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Event implements AutoCloseable {

    private final Device device;

    private final int number;

    Event(Device device, int number) {
        this.device = device;
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Waits until the event has happened, at most the device's wait time-out. */
    public void synchronize() {
        synchronize(device.waitTimeout());
    }

    /**
     * Waits until the event has happened.
     *
     * @throws DeviceException if it was never recorded, if the time-out passes, or if its stream fails before it gets
     *     there; the message has the reason
     */
    public void synchronize(Duration timeout) {
        device.call("synchronize " + this, h -> StreamFunctions.event_synchronize(h, number, timeout.toMillis()));
    }

    /** Whether the event has happened since it was last recorded. */
    public boolean isDone() {
        int[] done = new int[1];
        device.call("query " + this, h -> StreamFunctions.event_query(h, number, done));
        return done[0] != 0;
    }

    /** Destroys the event. Work that already waits for it is not affected. */
    @Override
    public void close() {
        device.call("destroy " + this, h -> StreamFunctions.event_destroy(h, number));
    }

    @Override
    public String toString() {
        return "event " + number;
    }
}
