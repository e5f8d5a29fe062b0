package org.rankunit.engine.lockstep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.hang.Inquiry;
import org.rankunit.engine.hang.LateWait;
import org.rankunit.engine.hang.Standstill;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** Asks the ranks of one run where they are when one of them takes too long. */
final class Inquiries {

    private final RankLinks links;
    private final GroupProgress ranks;
    private final LateWait late = new LateWait();

    /** The last output of each rank before it was asked anything, since what it prints after that comes from RankUnit. */
    private final Map<RankLink, String> tails = new LinkedHashMap<>();

    /**
     * The result of an inquiry.
     *
     * @param meanwhile other signals that arrived and still have to be handled
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
     * Ask all ranks, including those that have finished: such a rank may have been released from what the others are in, and may
     * have reported that before any was asked.
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
     * A wait in the communicator has ended by its own time-out. Where the other ranks are can be determined now, but not for long.
     * Ranks that this time-out released may have reported that before this rank reported the time-out. Returns the other signals
     * that arrived.
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

    /** How something ended. If it is the late wait that failed there, the result includes what held the ranks. */
    FromRank.Ended explain(RankLink link, FromRank.Ended ended) {
        return late.explain(link, ended);
    }

    /** The outcome of a rank that was given up. */
    RankOutcome.Unfinished unfinished(RankLink link, String why, Standstill standstill) {
        return new RankOutcome.Unfinished(why, tails.getOrDefault(link, ""), standstill.sentence(), standstill.waits());
    }
}
