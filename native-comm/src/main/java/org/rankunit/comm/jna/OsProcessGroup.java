package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.load.JnaLibrary;
import org.rankunit.comm.jna.load.NativeLibraryException;

/**
 * The process group that this process leads, and to which every process it starts belongs.
 *
 * <p>So these processes can be found even after this one has died, and one system call ends them all.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class OsProcessGroup {

    /** The name of the limit that {@link #mark} sets. */
    public static final String MARK_LINE = "Max file locks";

    private static final int SIGKILL = 9;
    private static final int RLIMIT_LOCKS = 10;

    /** Looked up in advance: when the group is ended, there may be no memory or time left for that. */
    private final Function kill;

    private OsProcessGroup(Function kill) {
        this.kill = kill;
    }

    /**
     * Make this process the leader of its own group.
     *
     * @throws NativeLibraryException if the kernel refuses, or native code cannot be loaded
     */
    public static OsProcessGroup lead() {
        JnaLibrary.load();
        NativeLibrary process = NativeLibrary.getProcess();
        Function setpgid = process.getFunction("setpgid");
        if (setpgid.invokeInt(new Object[] {0, 0}) != 0) {
            throw new NativeLibraryException("this process cannot lead a process group of its own");
        }
        return new OsProcessGroup(process.getFunction("kill"));
    }

    /**
     * Mark this process and all that it will start with a number, which the line {@value #MARK_LINE} of {@code /proc/PID/limits} then
     * shows. Unlike its environment and its session, a process keeps its limits unless it asks for others. Linux has not used this one
     * since 2.4.
     *
     * @param number positive
     * @return whether that was possible: it is not if the limit is lower already
     */
    public static boolean mark(long number) {
        JnaLibrary.load();
        NativeLibrary process = NativeLibrary.getProcess();
        long[] limits = new long[2];
        process.getFunction("getrlimit").invokeInt(new Object[] {RLIMIT_LOCKS, limits});
        limits[0] = number;
        return process.getFunction("setrlimit").invokeInt(new Object[] {RLIMIT_LOCKS, limits}) == 0;
    }

    /** End every process of the group, this one included; does not return. */
    public void end() {
        kill.invokeInt(new Object[] {0, SIGKILL});
    }
}
