package org.rankunit.collective.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.order.Streams;

/** Explains why streams do not go on: waits in a cycle, or a notify that is never posted. */
final class Deadlock {

    private final Schedule schedule;
    private final Streams streams;
    /** Of these a post was lost, which is reported apart. */
    private final Set<NotifyName> lost;

    Deadlock(Schedule schedule, Streams streams, Set<NotifyName> lost) {
        this.schedule = schedule;
        this.streams = streams;
        this.lost = lost;
    }

    void tell(Findings findings) {
        boolean[] told = new boolean[streams.size()];
        for (int stream = 0; stream < streams.size(); stream++) {
            if (!streams.hasEnded(stream) && !told[stream]) {
                follow(stream, told, findings);
            }
        }
    }

    /** From a stream to the one that would end its wait, until that is known or there is none. */
    private void follow(int start, boolean[] told, Findings findings) {
        List<Integer> path = new ArrayList<>();
        List<Task> waits = new ArrayList<>();
        int stream = start;
        while (stream >= 0 && !path.contains(stream)) {
            if (told[stream]) {
                return;
            }
            told[stream] = true;
            path.add(stream);
            Task wait = streams.left(stream).get(0);
            waits.add(wait);
            stream = streamThatPosts(wait.signalled());
        }
        if (stream < 0) {
            Task last = waits.get(waits.size() - 1);
            if (lost.contains(last.signalled())) {
                return;
            }
            findings.add(
                    FindingKind.DEADLOCK, "nothing posts " + last.signalled() + ", which this task waits for", last);
            return;
        }
        List<Task> circle = waits.subList(path.indexOf(stream), waits.size());
        String size = circle.size() == 1 ? "a stream waits for itself" : circle.size() + " streams wait in a cycle";
        findings.add(FindingKind.DEADLOCK, size, circle.toArray(new Task[0]));
    }

    /** The stream that would post the notify later; -1 if there is none. */
    private int streamThatPosts(@Nullable NotifyName name) {
        if (name == null) {
            throw new IllegalStateException("a stream is blocked at a task that is not a wait");
        }
        int poster = name.isLocal() ? name.owner() : name.peer();
        if (poster >= schedule.call().ranks()) {
            return -1;
        }
        for (int stream = streams.first(poster); stream < streams.end(poster); stream++) {
            if (!streams.hasEnded(stream)
                    && streams.left(stream).stream()
                            .anyMatch(task -> task.kind() == TaskKind.POST && name.equals(task.signalled()))) {
                return stream;
            }
        }
        return -1;
    }
}
