package org.rankunit.engine.lockstep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.hang.Inquiry;
import org.rankunit.engine.hang.LateWait;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;

/** Asks the ranks of one run where they are, when one of them takes too long. */
final class Inquiries {

    private final RankLinks links;
    private final GroupProgress ranks;
    private final LateWait late = new LateWait();

    /** What each rank had printed last before it was asked anything, since what it then prints is our own. */
    private final Map<RankLink, String> tails = new LinkedHashMap<>();

    /**
     * What came of asking.
     *
     * @param meanwhile what else happened, which is still to be handled
     */
    record Answers(Inquiry inquiry, List<RankSignal> meanwhile) {}

    Inquiries(RankLinks links, GroupProgress ranks) {
        this.links = links;
        this.ranks = ranks;
    }

    /** Ask all ranks where they are. */
    Answers ask() throws IOException {
        return ask(new Inquiry(links));
    }

    /**
     * Ask all ranks, also one that has come to the end: it may have been released from what the others are in, and told so before
     * anybody was asked.
     */
    private Answers ask(Inquiry inquiry) throws IOException {
        links.all().forEach(link -> tails.putIfAbsent(link, link.log().tail()));
        List<RankSignal> meanwhile = new ArrayList<>();
        inquiry.ask(ranks.withChannel(), signal -> {
            if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.Whereabouts place) {
                ranks.of(signal.link()).isAt(place);
            } else {
                meanwhile.add(signal);
            }
        });
        return new Answers(inquiry, meanwhile);
    }

    /**
     * A wait in the communicator has ended by its own time-out: where the others are is known now, and soon no more. Those
     * that it released may have said so before it did. Returns what else happened.
     */
    List<RankSignal> gaveUpWaiting(RankLink link, FromRank.Evidence evidence) throws IOException {
        if (late.isKnown()) {
            return List.of();
        }
        late.of(link);
        Inquiry inquiry = new Inquiry(links);
        inquiry.heard(link, evidence);
        Answers answers = ask(inquiry);
        late.heldBy(inquiry.standstill(ranks.outside()));
        return answers.meanwhile();
    }

    /** How something ended, with what held the ranks if it is a late wait which failed there. */
    FromRank.Ended explain(RankLink link, FromRank.Ended ended) {
        return late.explain(link, ended);
    }

    /** The end of a rank that was given up. */
    RankOutcome.Unfinished unfinished(RankLink link, String why, String summary) {
        return new RankOutcome.Unfinished(why, tails.getOrDefault(link, ""), summary);
    }
}
