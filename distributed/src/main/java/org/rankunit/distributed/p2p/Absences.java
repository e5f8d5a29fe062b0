package org.rankunit.distributed.p2p;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rankunit.distributed.p2p.ControlMessage.Kind;

/** Who has come to a monitored barrier, as its leader sees it. */
final class Absences {

    /** What the leader has from another member. */
    sealed interface Answer {

        record Heard(ControlMessage message) implements Answer {}

        /** It has not come in time. */
        record Nothing() implements Answer {}

        /** It has closed the group, and so cannot come any more. */
        record Closed() implements Answer {}
    }

    private final Function<List<Integer>, String> names;
    private final int memberCount;
    private final Duration timeout;
    private final List<Integer> here = new ArrayList<>(List.of(MonitoredBarrier.LEADER));
    private final List<Integer> missing = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<Integer> gaveUp = new ArrayList<>();

    /**
     * @param names how people call members
     * @param timeout how long the leader waits
     */
    Absences(Function<List<Integer>, String> names, int memberCount, Duration timeout) {
        this.names = names;
        this.memberCount = memberCount;
        this.timeout = timeout;
    }

    void add(int member, Answer answer) {
        if (answer instanceof Answer.Heard heard) {
            (heard.message().kind() == Kind.GAVE_UP ? gaveUp : here).add(member);
        } else {
            (answer instanceof Answer.Closed ? closed : missing).add(member);
        }
    }

    boolean isMissing(int member) {
        return missing.contains(member);
    }

    /**
     * Say who has not come; empty if all have.
     *
     * @param all whether all are named that have not come in time, or only the first
     */
    String text(boolean all) {
        List<String> texts = new ArrayList<>();
        if (!missing.isEmpty()) {
            String within = " not come within " + MonitoredBarrier.millis(timeout);
            texts.add(
                    all
                            ? names.apply(missing) + have(missing) + within + "; " + names.apply(here) + have(here)
                            : names.apply(missing.subList(0, 1)) + " has" + within
                                    + "; waitAllRanks = true names all that have not");
        }
        if (!closed.isEmpty()) {
            texts.add(names.apply(closed) + have(closed) + " closed the group without it");
        }
        if (!gaveUp.isEmpty()) {
            texts.add(names.apply(gaveUp) + have(gaveUp) + " given up before "
                    + names.apply(List.of(MonitoredBarrier.LEADER)) + " came");
        }
        return texts.isEmpty() ? "" : "monitoredBarrier of " + memberCount + " members: " + String.join("; ", texts);
    }

    private static String have(List<Integer> some) {
        return some.size() == 1 ? " has" : " have";
    }
}
