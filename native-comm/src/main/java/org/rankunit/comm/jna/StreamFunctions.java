package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * The functions of {@code stream.h}, under their own names; everything said of {@link DeviceFunctions} holds for them too.
 * Streams, events and notifies are numbers.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class StreamFunctions {

    private StreamFunctions() {}

    public static native int stream_create(long device, int[] streamOut);

    public static native int stream_destroy(long device, int stream);

    public static native int stream_synchronize(long device, int stream, long timeoutMs);

    public static native int stream_query(long device, int stream, int[] doneOut);

    public static native int stream_describe(long device, int stream, byte[] textOut, long capacity);

    public static native int stream_launch(
            long device, int stream, long kernel, long[] arguments, int argumentCount, int blocks, int cores);

    public static native int stream_launch_declared(
            long device, int stream, long kernel, long[] arguments, int argumentCount, int blocks, int cores);

    public static native int stream_zero(long device, int stream, long address, long bytes);

    public static native int stream_copy(long device, int stream, long targetAddress, long sourceAddress, long bytes);

    public static native int stream_copy_in(
            long device, int stream, long targetAddress, long sourceAddress, long bytes);

    public static native int stream_copy_out(
            long device, int stream, long targetAddress, long sourceAddress, long bytes);

    public static native int stream_signal(long device, int stream, long cell, int signal, int value);

    public static native int stream_wait(
            long device, int stream, long cells, int rows, int columns, long rowBytes, int compare, int value);

    public static native int event_create(long device, int[] eventOut);

    public static native int event_destroy(long device, int event);

    public static native int event_record(long device, int event, int stream);

    public static native int event_wait(long device, int stream, int event);

    public static native int event_synchronize(long device, int event, long timeoutMs);

    public static native int event_query(long device, int event, int[] doneOut);

    public static native int notify_create(long device, int[] notifyOut);

    public static native int notify_destroy(long device, int notify);

    public static native int notify_post(long device, int stream, int notify);

    public static native int notify_wait(long device, int stream, int notify);

    public static native int notify_export(long device, int notify, byte[] keyOut, long capacity);

    public static native int notify_import(long device, String key, int[] notifyOut);
}
