package org.rankunit.engine.launch;

import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.Channel;

/** What the parent holds of one rank: its process, its log, and once it has said hello its channel. */
final class RankLink {

    final int rank;
    final int device;
    final Process process;
    final RankLog log;

    @Nullable Channel channel;

    /** The process has ended, and everything it said has been read. */
    boolean gone;

    RankLink(int rank, int device, Process process, RankLog log) {
        this.rank = rank;
        this.device = device;
        this.process = process;
        this.log = log;
    }

    /** Name the rank for a message. */
    String describe() {
        return "rank " + rank + " (device " + device + ", pid " + process.pid() + ")";
    }
}
