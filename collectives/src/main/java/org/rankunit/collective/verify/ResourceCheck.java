package org.rankunit.collective.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;

/** Compares what tasks use with what the algorithm asks for, and counts bytes. */
final class ResourceCheck {

    private static final int SIGNALS = 3;

    private final CollectiveCall call;
    private final Findings findings;
    private final long[] sent;

    ResourceCheck(CollectiveCall call, Findings findings) {
        this.call = call;
        this.findings = findings;
        this.sent = new long[call.ranks()];
    }

    void run(RankSchedule rank) {
        BitSet notifies = new BitSet();
        List<BitSet> peersByLink = new ArrayList<>();
        long scratch = 0;
        for (int task = 0; task < rank.size(); task++) {
            TaskKind kind = rank.kind(task);
            if (kind.isTransfer()) {
                sent[kind.readsThere() ? rank.peer(task) : rank.rank()] += rank.bytes(task);
            } else if (!kind.movesData() && rank.peer(task) < 0) {
                notifies.set(rank.code(task));
            } else if (!kind.movesData()) {
                int link = rank.code(task) / SIGNALS;
                while (link >= peersByLink.size()) {
                    peersByLink.add(new BitSet());
                }
                peersByLink.get(link).set(rank.peer(task));
            }
            scratch = Math.max(scratch, scratchEnd(rank, task, kind));
        }
        if (hasWork()) {
            int links = peersByLink.stream().mapToInt(BitSet::cardinality).sum();
            compare(rank, notifies.cardinality(), links, scratch);
        }
    }

    /** Parts of few elements are empty for some ranks, which then need less than usual. */
    private boolean hasWork() {
        return call.counts().isEmpty() && call.count() >= (long) call.ranks() * 2;
    }

    /** How far a task uses the scratch memory of its own rank. */
    private static long scratchEnd(RankSchedule rank, int task, TaskKind kind) {
        long end = 0;
        if (kind.movesData() && !kind.readsThere() && rank.fromBuffer(task) == BufferKind.SCRATCH) {
            end = rank.from(task) + rank.bytes(task);
        }
        if (kind.movesData() && !kind.writesThere() && rank.toBuffer(task) == BufferKind.SCRATCH) {
            end = Math.max(end, rank.to(task) + rank.bytes(task));
        }
        return end;
    }

    private void compare(RankSchedule rank, int notifies, int links, long scratch) {
        Resources asked = rank.resources();
        int streams = 0;
        for (int stream = 1; stream < rank.streams(); stream++) {
            streams += rank.size(stream) > 0 ? 1 : 0;
        }
        differ(rank, "sub streams", asked.subStreams(), streams);
        differ(rank, "notifies", asked.notifies(), notifies);
        differ(rank, "links", asked.links().size(), links);
        differ(rank, "bytes of scratch memory", asked.scratchBytes(), scratch);
    }

    private void differ(RankSchedule rank, String what, long asked, long used) {
        if (asked != used) {
            findings.add(
                    FindingKind.UNUSED_RESOURCES,
                    "rank " + rank.rank() + " asks for " + asked + " " + what + " and uses " + used);
        }
    }

    /** The number of bytes that all tasks seen so far send. */
    long allSent() {
        return Arrays.stream(sent).sum();
    }

    /** The largest number of bytes that one rank sends, reads by others included. */
    long mostSent() {
        long most = 0;
        for (long each : sent) {
            most = Math.max(most, each);
        }
        return most;
    }
}
