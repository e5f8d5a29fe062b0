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
public final class ProcessGroup {

    private static final int SIGKILL = 9;

    /** Looked up in advance: when the group is ended, there may be no memory or time left for that. */
    private final Function kill;

    private ProcessGroup(Function kill) {
        this.kill = kill;
    }

    /**
     * Make this process the leader of its own group.
     *
     * @throws NativeLibraryException if the kernel refuses, or native code cannot be loaded
     */
    public static ProcessGroup lead() {
        JnaLibrary.load();
        NativeLibrary process = NativeLibrary.getProcess();
        Function setpgid = process.getFunction("setpgid");
        if (setpgid.invokeInt(new Object[] {0, 0}) != 0) {
            throw new NativeLibraryException("this process cannot lead a process group of its own");
        }
        return new ProcessGroup(process.getFunction("kill"));
    }

    /** End every process of the group, this one included; does not return. */
    public void end() {
        kill.invokeInt(new Object[] {0, SIGKILL});
    }
}
