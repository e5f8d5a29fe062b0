package org.rankunit.engine.check.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/** Compared with the transitive closure of random orders. */
@Tag("unit")
class ChainsTest {

    @ParameterizedTest
    @CsvSource({"6, 2", "20, 1", "20, 3", "40, 2", "40, 6"})
    void chainsAndClocksSayWhatHappensBefore(int count, int mostBefore) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            EventGraph graph = EventGraph.ofProgram(List.of());
            boolean[][] before = new boolean[count][count];
            for (int after = 0; after < count; after++) {
                Node node = graph.addAccess(0);
                for (int i = after == 0 ? 0 : random.nextInt(mostBefore + 1); i > 0; i--) {
                    int earlier = random.nextInt(after);
                    EventGraph.order(graph.nodes().get(earlier), node);
                    before[earlier][after] = true;
                    for (int first = 0; first < count; first++) {
                        before[first][after] |= before[first][earlier];
                    }
                }
            }

            Sequence sequence = Sequence.of(graph.nodes(), List.of());
            Chains chains = Chains.of(sequence.nodes());
            Clocks clocks = new Clocks(sequence);
            clocks.pass(node -> null);
            for (Node a : graph.nodes()) {
                for (Node b : graph.nodes()) {
                    boolean expected = before[a.number][b.number];
                    assertThat(clocks.isBefore(a, b)).as("seed %d", seed).isEqualTo(expected);
                    if (chains.of(a) == chains.of(b) && chains.indexOf(a) < chains.indexOf(b)) {
                        assertThat(expected).as("a chain of seed %d", seed).isTrue();
                    }
                }
            }
        }
    }
}
