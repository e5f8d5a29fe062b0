package org.rankunit.engine.hang;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.ProcessInspection;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out where ranks are before anything is killed: each rank is asked, and one that does not answer is inspected from outside.
 */
public final class Inquiry {

    /** How long a rank may take to say where it is. */
    private static final Duration ANSWER_GRACE = Duration.ofSeconds(2);

    /** How long the inspection of a rank from outside may take; for a process of this machine it takes 12 s at most. */
    private static final Duration INSPECTION_GRACE = Duration.ofSeconds(15);

    private final RankLinks links;
    private final Map<RankLink, FromRank.Evidence> answers = new LinkedHashMap<>();
    private final Map<RankLink, String> silent = new LinkedHashMap<>();

    public Inquiry(RankLinks links) {
        this.links = links;
    }

    /**
     * Ask these ranks, except those that have already answered, and wait for their answers.
     *
     * @param otherwise receives all other signals that arrive meanwhile
     */
    public void ask(Collection<RankLink> asked, Consumer<RankSignal> otherwise) throws IOException {
        Set<RankLink> awaited = new LinkedHashSet<>(asked);
        awaited.removeAll(answers.keySet());
        awaited.forEach(link -> links.send(link, new ToRank.ShowEvidence()));
        long patience = System.nanoTime() + ANSWER_GRACE.toNanos();
        while (!awaited.isEmpty()) {
            RankSignal signal = links.next(patience);
            if (signal == null) {
                break;
            } else if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.Evidence answer) {
                answers.put(said.link(), answer);
                awaited.remove(said.link());
            } else {
                if (!(signal instanceof RankSignal.Said)) {
                    awaited.remove(signal.link());
                }
                otherwise.accept(signal);
            }
        }
        inspect(awaited);
    }

    /** Inspect ranks that do not answer, all of them at the same time. */
    private void inspect(Collection<RankLink> ranks) {
        long deadline = System.nanoTime() + INSPECTION_GRACE.toNanos();
        Map<RankLink, Future<ProcessInspection>> inspections = new LinkedHashMap<>();
        ranks.forEach(link -> inspections.put(link, link.process().inspect()));
        inspections.forEach((link, inspection) -> silent.put(link, stateSeen(link, inspection, deadline)));
    }

    private static String stateSeen(RankLink link, Future<ProcessInspection> inspection, long deadline) {
        try {
            return inspection
                    .get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)
                    .state();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log().debug("{} could not be inspected", link.describe(), e);
        } finally {
            inspection.cancel(true);
        }
        return "";
    }

    /** Record what a rank has reported without being asked. */
    public void heard(RankLink link, FromRank.Evidence evidence) {
        answers.put(link, evidence);
    }

    /**
     * Describe what holds the ranks.
     *
     * @param outside the ranks that are outside of the test, with a description of each; see {@link HangSummary.Position}
     */
    public Standstill standstill(Map<Integer, String> outside) {
        SortedMap<Integer, HangSummary.Position> positions = new TreeMap<>();
        answers.forEach((link, evidence) ->
                positions.put(link.rank(), new HangSummary.Position.There(evidence.place(), evidence.operations())));
        silent.forEach((link, why) -> positions.put(link.rank(), new HangSummary.Position.Silent(why)));
        // A rank that was in the failed operation is part of the answer, even if it has moved on since.
        outside.forEach((rank, where) -> positions.compute(rank, (r, said) -> outside(where, said)));
        return Standstill.of(positions);
    }

    private static HangSummary.Position outside(String where, HangSummary.@Nullable Position said) {
        if (said instanceof HangSummary.Position.There there) {
            return there.isInOperation() ? there : new HangSummary.Position.Outside(where, there.operations());
        }
        return new HangSummary.Position.Outside(where);
    }

    /** Where one rank was, to be appended to the reason why it was given up. */
    public String whereIs(RankLink link) {
        FromRank.Evidence evidence = answers.get(link);
        if (evidence != null) {
            return "; it was at\n" + evidence.mainThread().stripTrailing();
        }
        String state = silent.getOrDefault(link, "");
        return "; it did not report where it was" + (state.isEmpty() ? "" : ": " + state)
                + "; what was observed from outside is in its log";
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(Inquiry.class);
    }
}
