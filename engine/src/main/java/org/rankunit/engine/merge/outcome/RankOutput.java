package org.rankunit.engine.merge.outcome;

import java.io.PrintStream;
import java.util.List;
import org.rankunit.engine.discovery.XmlText;

/**
 * Prints the output of the ranks, each line prefixed with its rank. Build tools put this into their reports, so the text is made
 * {@linkplain XmlText safe} for them.
 */
public final class RankOutput {

    private RankOutput() {}

    /** Print the output of each rank, in the order of the ranks. */
    public static void print(List<String> byRank, PrintStream out) {
        for (int rank = 0; rank < byRank.size(); rank++) {
            String text = byRank.get(rank);
            if (!text.isEmpty()) {
                String label = "[rank " + rank + "] ";
                XmlText.of(text).lines().forEach(line -> out.println(label + line));
            }
        }
    }
}
