package org.rankunit.engine.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.ToRank;

/**
 * Finds out where ranks are, before anything is killed: each is asked, and one that does not answer is looked at from
 * outside.
 */
final class Inquiry {

    /** How long a rank may take to say where it is. */
    private static final Duration ANSWER_GRACE = Duration.ofSeconds(2);

    private final RankLinks links;
    private final Map<RankLink, FromRank.Evidence> answers = new LinkedHashMap<>();
    private final Map<RankLink, String> silent = new LinkedHashMap<>();

    Inquiry(RankLinks links) {
        this.links = links;
    }

    /**
     * Ask these ranks, but for those that have been heard already, and wait for their answers.
     *
     * @param otherwise takes everything else that happens meanwhile
     */
    void ask(Collection<RankLink> asked, Consumer<RankSignal> otherwise) throws IOException {
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
        OutsideView.ofAll(awaited).forEach((link, view) -> silent.put(link, view.state()));
    }

    /** Take over what a rank has said unasked. */
    void heard(RankLink link, FromRank.Evidence evidence) {
        answers.put(link, evidence);
    }

    /**
     * Say in one sentence what holds the ranks.
     *
     * @param outside the ranks that are outside of the test, with what to say of them; see {@link Standstill.Position}
     */
    String standstill(Map<Integer, String> outside) {
        SortedMap<Integer, Standstill.Position> positions = new TreeMap<>();
        answers.forEach((link, evidence) ->
                positions.put(link.rank, new Standstill.Position.There(evidence.place(), evidence.operations())));
        silent.forEach((link, why) -> positions.put(link.rank, new Standstill.Position.Silent(why)));
        // Who was in the operation that failed is part of the answer, wherever it has come since.
        outside.forEach((rank, where) -> positions.compute(rank, (r, said) -> outside(where, said)));
        return Standstill.sentence(positions);
    }

    private static Standstill.Position outside(String where, Standstill.@Nullable Position said) {
        if (said instanceof Standstill.Position.There there) {
            return there.isInOperation() ? there : new Standstill.Position.Outside(where, there.operations());
        }
        return new Standstill.Position.Outside(where);
    }

    /** What to say of one rank behind the reason why it was given up. */
    String whereIs(RankLink link) {
        FromRank.Evidence evidence = answers.get(link);
        if (evidence != null) {
            return "; it was at\n" + evidence.mainThread().stripTrailing();
        }
        String state = silent.getOrDefault(link, "");
        return "; it did not say where it was" + (state.isEmpty() ? "" : ": " + state)
                + "; what was seen of it from outside is in its log";
    }
}
