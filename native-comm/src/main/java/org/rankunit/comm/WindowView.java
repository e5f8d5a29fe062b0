package org.rankunit.comm;

import static java.lang.invoke.MethodHandles.byteArrayViewVarHandle;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.invoke.VarHandle;
import org.apiguardian.api.API;
import org.rankunit.device.Device;

/**
 * A window, or a part of one, as a buffer: the host reads and writes it through the device, wherever the memory is.
 *
 * <pre>{@code
 * comm.window(1).putInt(0, 42);
 * comm.barrier();
 * int seen = comm.window(0).getInt(0);
 * }</pre>
 *
 * <p>Every access is checked. An access outside of the window throws an {@link IndexOutOfBoundsException} with offset, length and
 * size. A number at an offset that is not a multiple of its size throws an {@link IllegalArgumentException}. Numbers are little-endian,
 * as on all supported machines. Only barriers order accesses of different ranks.
 *
 * <p>Thread-safe. After the communicator or domain is closed, every access throws an {@link IllegalStateException}, or a
 * {@link org.rankunit.device.DeviceException} if it is being closed at that moment.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class WindowView {

    private static final VarHandle INT = byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final VarHandle LONG = byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final VarHandle FLOAT = byteArrayViewVarHandle(float[].class, LITTLE_ENDIAN);
    private static final VarHandle DOUBLE = byteArrayViewVarHandle(double[].class, LITTLE_ENDIAN);

    private final Device device;
    private final Runnable requireOpen;
    private final String name;
    private final long address;
    private final long size;

    /**
     * @param requireOpen throws if the windows are released
     * @param name in error messages: "the window of rank 1"
     */
    WindowView(Device device, Runnable requireOpen, String name, long address, long size) {
        this.device = device;
        this.requireOpen = requireOpen;
        this.name = name;
        this.address = address;
        this.size = size;
    }

    /** Get the device address of the first byte, as this rank sees it. */
    public long address() {
        return address;
    }

    /** Get the number of bytes. */
    public long size() {
        return size;
    }

    /** Get a view of {@code length} bytes from {@code offset} on. */
    public WindowView slice(long offset, long length) {
        return new WindowView(device, requireOpen, name, at(offset, length), length);
    }

    /** Fill {@code target} with bytes of this view from {@code offset} on. */
    public void get(long offset, byte[] target) {
        device.copyOut(at(offset, target.length), target, 0, target.length);
    }

    /** Copy all bytes of {@code source} into this view at {@code offset}. */
    public void put(long offset, byte[] source) {
        device.copyIn(at(offset, source.length), source, 0, source.length);
    }

    /**
     * Copy all bytes to another view of the same size, possibly of another rank.
     *
     * @throws org.rankunit.device.DeviceException if the two overlap and are not equal, since a device may move the bytes in
     *     any order
     */
    public void copyTo(WindowView target) {
        if (target.size != size) {
            throw new IllegalArgumentException("the source has " + size + " bytes (" + this + "), the target "
                    + target.size + " (" + target + ")");
        }
        device.copy(target.at(0, size), at(0, size), size);
    }

    /** Set all bytes to 0. */
    public void zero() {
        device.zero(at(0, size), size);
    }

    public int getInt(long offset) {
        return (int) INT.get(read(offset, Integer.BYTES), 0);
    }

    public void putInt(long offset, int value) {
        byte[] bytes = new byte[Integer.BYTES];
        INT.set(bytes, 0, value);
        write(offset, bytes);
    }

    public long getLong(long offset) {
        return (long) LONG.get(read(offset, Long.BYTES), 0);
    }

    public void putLong(long offset, long value) {
        byte[] bytes = new byte[Long.BYTES];
        LONG.set(bytes, 0, value);
        write(offset, bytes);
    }

    public float getFloat(long offset) {
        return (float) FLOAT.get(read(offset, Float.BYTES), 0);
    }

    public void putFloat(long offset, float value) {
        byte[] bytes = new byte[Float.BYTES];
        FLOAT.set(bytes, 0, value);
        write(offset, bytes);
    }

    public double getDouble(long offset) {
        return (double) DOUBLE.get(read(offset, Double.BYTES), 0);
    }

    public void putDouble(long offset, double value) {
        byte[] bytes = new byte[Double.BYTES];
        DOUBLE.set(bytes, 0, value);
        write(offset, bytes);
    }

    private byte[] read(long offset, int bytes) {
        requireAligned(offset, bytes);
        byte[] value = new byte[bytes];
        get(offset, value);
        return value;
    }

    private void write(long offset, byte[] value) {
        requireAligned(offset, value.length);
        put(offset, value);
    }

    private void requireAligned(long offset, int bytes) {
        if ((address + offset) % bytes != 0) {
            throw new IllegalArgumentException("offset " + offset + " in " + this + " is not aligned to the " + bytes
                    + " bytes that are to be accessed there");
        }
    }

    private long at(long offset, long length) {
        requireOpen.run();
        if (offset < 0 || length < 0 || offset > size || length > size - offset) {
            throw new IndexOutOfBoundsException(length + " bytes at offset " + offset + " are not inside " + this);
        }
        return address + offset;
    }

    @Override
    public String toString() {
        return name + " (" + size + " bytes)";
    }
}
