package org.rankunit.engine.link;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.Channel;
import org.rankunit.engine.launch.DeviceRef;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.RankProcess;

/** What the parent holds of one rank: its process, and once it has said hello its channel. Not thread-safe. */
public final class RankLink {

    private final RankProcess process;
    private @Nullable Channel channel;

    /** What makes its device suspect, if anything. */
    private @Nullable String suspicion;

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

    /** The parent's end of its control channel; {@code null} before it has said hello, and once it has hung up. */
    @Nullable Channel channel() {
        return channel;
    }

    void channel(@Nullable Channel now) {
        channel = now;
    }

    /** Whether it can be asked anything. */
    public boolean isHeard() {
        return channel != null && !gone;
    }

    /** Whether it comes out of a wait in its communicator when that is aborted. */
    public boolean wakeable() {
        return wakeable;
    }

    public void wakeable(boolean now) {
        wakeable = now;
    }

    /** The process has ended, and everything it said has been read. */
    boolean gone() {
        return gone;
    }

    void gone(boolean now) {
        gone = now;
    }

    /** Say what makes its device suspect; of several reasons the first is kept. */
    public void suspect(String how) {
        suspicion = suspicion == null ? how : suspicion;
    }

    /** What makes its device suspect: something that was said, or that it did not live to be asked to leave. */
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
