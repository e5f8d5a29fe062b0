package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import java.util.stream.LongStream;
import org.apiguardian.api.API;

/**
 * A function that runs on a device. It lives as long as its {@link Device}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Kernel {

    /** An argument with how the kernel uses it. Use {@code TaskArgument} of {@code org.rankunit.graph}. */
    public interface Argument {

        /** The number of its use in {@code GraphArgument} of {@code graph.h}. */
        @API(status = INTERNAL, since = "0.1")
        int useNumber();

        /** Returns the value of a scalar, or the device address of a tensor. */
        long value();

        /** Returns the bytes of a tensor; 0 for a scalar. */
        long bytes();

        /** Returns the words that the native functions take for arguments: three for each. */
        @API(status = INTERNAL, since = "0.1")
        static long[] declaration(List<? extends Argument> arguments) {
            return arguments.stream()
                    .flatMapToLong(argument -> LongStream.of(argument.useNumber(), argument.value(), argument.bytes()))
                    .toArray();
        }
    }

    private final Device device;

    private final String name;

    private final long handle;

    Kernel(Device device, String name, long handle) {
        this.device = device;
        this.name = name;
        this.handle = handle;
    }

    public String name() {
        return name;
    }

    /**
     * Runs the kernel. In the simulator it has finished when this method returns, elsewhere after
     * {@link Device#synchronize}.
     *
     * @param arguments device addresses, counts and other numbers, at most 256, in the order that the kernel expects.
     *     They are not checked: a wrong address may crash the process
     * @throws DeviceException if the kernel reports a failure; the message has its code
     */
    public void launch(long... arguments) {
        device.launch(name, handle, arguments);
    }

    /**
     * Runs the kernel with a number of blocks, and on a stream of the vendor's runtime. {@link Stream} has streams for all
     * platforms.
     *
     * @param blocks number of blocks, at least 1
     * @param stream handle of a stream that the caller created in the device's context with the vendor's runtime, and
     *     synchronizes and destroys; 0 for the device's own stream, and always 0 in the simulator
     * @param arguments same as for {@link #launch}
     * @throws DeviceException if the backend has no blocks or streams, or the launch fails
     */
    public void launchOn(int blocks, long stream, long... arguments) {
        device.launchOn(name, handle, arguments, blocks, stream);
    }

    /** Returns the handle, for use on a stream or in a graph of {@code other}. */
    @API(status = INTERNAL, since = "0.1")
    public long handleOn(Device other) {
        if (other != device) {
            throw new IllegalArgumentException(this + " cannot run on " + other + ": load it there");
        }
        return handle;
    }

    @Override
    public String toString() {
        return "Kernel[" + name + " on " + device + "]";
    }
}
