package org.rankunit.collective.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Signal;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;

/**
 * Each end of a link goes through exchanges: an Ack is awaited before data moves; when it has moved, DataSignal is posted; a write to
 * another server ends when DataAck has come.
 */
final class ExchangeCheck {

    private static final int SIGNALS = Signal.values().length;

    private final CollectiveCall call;
    private final Findings findings;

    ExchangeCheck(CollectiveCall call, Findings findings) {
        this.call = call;
        this.findings = findings;
    }

    /** Where an end of a link is. */
    private static final class End {

        /** Whether data may move. */
        private boolean acknowledged;
        /** A transfer whose DataSignal was not posted yet; -1 if there is none. */
        private int unsignalled = -1;
        /** A write to another server whose DataAck has not come yet; -1 if there is none. */
        private int unacknowledged = -1;
    }

    /** The ends of links of a rank. Most ranks have at most one link to another one. */
    private static final class Ends {

        private final @Nullable End[] ofFirstLinks;
        private final Map<Long, End> ofOthers = new HashMap<>();
        private final List<End> all = new ArrayList<>();

        Ends(int ranks) {
            this.ofFirstLinks = new End[ranks];
        }

        End of(int peer, int link) {
            if (link > 0 || peer >= ofFirstLinks.length) {
                return ofOthers.computeIfAbsent(((long) peer << Integer.SIZE) | link, missing -> added());
            }
            End known = ofFirstLinks[peer];
            if (known == null) {
                known = added();
                ofFirstLinks[peer] = known;
            }
            return known;
        }

        private End added() {
            End end = new End();
            all.add(end);
            return end;
        }
    }

    void run(RankSchedule rank) {
        Ends ends = new Ends(call.ranks());
        for (int task = 0; task < rank.size(); task++) {
            TaskKind kind = rank.kind(task);
            int peer = rank.peer(task);
            if (peer < 0) {
                continue;
            }
            int link = kind.movesData() ? rank.code(task) : rank.code(task) / SIGNALS;
            End end = ends.of(peer, link);
            if (kind.movesData()) {
                transfer(rank, task, kind, end);
            } else {
                signal(rank, task, kind, end);
            }
        }
        ends.all.forEach(end -> end(rank, end));
    }

    private void transfer(RankSchedule rank, int task, TaskKind kind, End end) {
        if (!end.acknowledged) {
            tell("data moves before Ack of the other end was awaited", rank.task(task));
        }
        end.unsignalled = task;
        if (kind.writesThere() && !call.sameServer(rank.rank(), rank.peer(task))) {
            end.unacknowledged = task;
        }
    }

    private void signal(RankSchedule rank, int task, TaskKind kind, End end) {
        Signal signal = new NotifyName(rank.rank(), rank.peer(task), rank.code(task)).signal();
        boolean posted = kind == TaskKind.POST;
        switch (signal) {
            case ACK -> {
                if (!posted) {
                    end(rank, end);
                    end.acknowledged = true;
                }
            }
            case DATA_SIGNAL -> {
                if (posted) {
                    end.unsignalled = -1;
                    end.acknowledged = false;
                }
            }
            case DATA_ACK -> {
                if (!posted) {
                    end.unacknowledged = -1;
                }
            }
        }
    }

    /** No exchange is open. */
    private void end(RankSchedule rank, End end) {
        if (end.unsignalled >= 0) {
            tell("no DataSignal is posted after this transfer", rank.task(end.unsignalled));
        }
        if (end.unacknowledged >= 0) {
            tell(
                    "no DataAck is awaited after this write to another server, which has not landed when it returns",
                    rank.task(end.unacknowledged));
        }
        end.unsignalled = -1;
        end.unacknowledged = -1;
    }

    private void tell(String text, Task task) {
        findings.addOnce(FindingKind.INCOMPLETE_EXCHANGE, text, task, task);
    }
}
