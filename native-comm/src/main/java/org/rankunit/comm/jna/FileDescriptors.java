package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.load.JnaLibrary;

/**
 * The file descriptors of this process. Opens no file to look at them, so it also works when none is free. Not thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class FileDescriptors {

    private static final int RLIMIT_NOFILE = 7;
    private static final int CLOSE_ON_EXEC = 0x80000;

    private final Function eventfd;
    private final Function close;
    private final Function getrlimit;
    private final int[] spare;
    private boolean isExhausted;

    private FileDescriptors(NativeLibrary process, int spare) {
        eventfd = process.getFunction("eventfd");
        close = process.getFunction("close");
        getrlimit = process.getFunction("getrlimit");
        this.spare = IntStream.range(0, spare).map(i -> open()).toArray();
    }

    /**
     * Keep some descriptors in reserve, which are free for other use from the moment on when a look finds no other one free. Without
     * them, this process could not even load the classes by which it says so.
     */
    public static FileDescriptors withSpare(int count) {
        JnaLibrary.load();
        return new FileDescriptors(NativeLibrary.getProcess(), count);
    }

    /** How many may be open. */
    public long limit() {
        long[] limits = new long[2];
        getrlimit.invokeInt(new Object[] {RLIMIT_NOFILE, limits});
        return limits[0];
    }

    /**
     * The number of the lowest free descriptor, which is about how many are open, since each new one gets the lowest number. This is
     * the limit once a look has found none free.
     */
    public long lowestFree() {
        int lowest = isExhausted ? -1 : open();
        if (lowest < 0) {
            releaseSpare();
            return limit();
        }
        close(lowest);
        return lowest;
    }

    private void releaseSpare() {
        if (!isExhausted) {
            isExhausted = true;
            IntStream.of(spare).forEach(this::close);
        }
    }

    private int open() {
        return eventfd.invokeInt(new Object[] {0, CLOSE_ON_EXEC});
    }

    private void close(int descriptor) {
        close.invokeInt(new Object[] {descriptor});
    }
}
