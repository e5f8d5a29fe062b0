package org.rankunit.engine.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.RankProcess;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Channel;

/** The parent's view of one rank: its process and, after its hello, its channel. Not thread-safe. */
public final class RankLink {

    private final RankProcess process;
    private volatile @Nullable Channel channel;
    private boolean joined;

    /** Why its device is suspect, if it is. */
    private @Nullable String suspicion;

    /** The test that has left each of these threads running, by the numbers that the kernel has for the threads. */
    private final Map<Integer, String> leftThreads = new HashMap<>();

    private boolean wakeable = true;
    private boolean gone;

    public RankLink(RankProcess process) {
        this.process = process;
    }

    public int rank() {
        return process.rank();
    }

    public DeviceRef device() {
        return process.device();
    }

    public RankProcess process() {
        return process;
    }

    public RankLog log() {
        return process.log();
    }

    /** The parent's end of its control channel; {@code null} before its hello and after it has hung up. */
    @Nullable Channel channel() {
        return channel;
    }

    void channel(@Nullable Channel now) {
        channel = now;
        joined |= now != null;
    }

    /** Whether it has ever connected. */
    public boolean hasJoined() {
        return joined;
    }

    /** Whether messages can still be exchanged with it. */
    public boolean isHeard() {
        return channel != null && !gone;
    }

    /** Whether a wait in its communicator ends when the communicator is aborted. */
    public boolean wakeable() {
        return wakeable;
    }

    public void wakeable(boolean now) {
        wakeable = now;
    }

    /** Whether the process has ended and everything it sent has been read. */
    boolean gone() {
        return gone;
    }

    void gone(boolean now) {
        gone = now;
    }

    /** A test has left threads running in the process. The kernel may give the numbers of threads that have ended to new ones. */
    public void threadsLeft(FromRank.ThreadsLeft left) {
        left.threads().forEach(thread -> leftThreads.put(thread, left.test()));
    }

    /** What to say if the process, which has ended, was ended by a thread that a test had left running; otherwise empty. */
    public String leftThreadThatEndedIt() {
        String test = leftThreads.get(process.endingThread());
        return test == null ? "" : ", on a thread that " + test + " has left running";
    }

    /** Record why its device is suspect; only the first reason is kept. */
    public void suspect(String how) {
        suspicion = suspicion == null ? how : suspicion;
    }

    /** End its process, which may still use the device. So its device is suspect, whether the end has been seen or not. */
    public void kill(String why) {
        suspect(why);
        process.kill();
    }

    /** Why its device is suspect: a recorded reason, or the failure of a process that ended before it was asked to exit. */
    public Optional<String> suspicion() {
        if (suspicion == null) {
            process.exitStatus()
                    .filter(status -> status.code() != 0)
                    .ifPresent(status -> suspect(process.explain(status)));
        }
        return Optional.ofNullable(suspicion).map(how -> "rank " + rank() + " " + how + ", see " + log().file());
    }

    /** Name the rank for a message. */
    public String describe() {
        return "rank " + rank() + " (" + device().describe() + ", " + process.describe() + ")";
    }
}
