package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.comm.jna.NativeText;
import org.rankunit.comm.jna.StreamFunctions;

/**
 * A flag between streams of one device or of two. {@link Stream#post} sets it; posting a set one changes nothing.
 * {@link Stream#waitFor(Notify)} holds up its stream until the flag is set, and clears it: one wait consumes one post.
 *
 * <p>Only streams of the device that created a notify can wait for it. Another rank's device posts it after it has
 * imported its key:
 *
 * <pre>{@code
 * Notify own = device.createNotify();
 * String key = own.exportKey();                     // hand it to the other rank
 * Notify ofPeer = device.importNotify(keyOfPeer);
 * stream.post(ofPeer);
 * stream.waitFor(own);
 * }</pre>
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Notify implements AutoCloseable {

    /** The longest key, {@code STREAM_NOTIFY_KEY_BYTES} of {@code stream.h}. */
    private static final int KEY_BYTES = 128;

    private final Device device;

    private final int number;

    Notify(Device device, int number) {
        this.device = device;
        this.number = number;
    }

    int number() {
        return number;
    }

    /**
     * Returns the text with which {@link Device#importNotify} finds this notify, in any process of this user on this
     * machine, as long as the notify exists. It has at most 127 ASCII characters.
     *
     * @throws DeviceException if this notify was imported
     */
    public String exportKey() {
        byte[] key = new byte[KEY_BYTES];
        device.call("export " + this, h -> StreamFunctions.notify_export(h, number, key, key.length));
        return NativeText.of(key);
    }

    /** Destroys the notify. A later post by a device that has imported it fails. */
    @Override
    public void close() {
        device.call("destroy " + this, h -> StreamFunctions.notify_destroy(h, number));
    }

    @Override
    public String toString() {
        return "notify " + number;
    }
}
