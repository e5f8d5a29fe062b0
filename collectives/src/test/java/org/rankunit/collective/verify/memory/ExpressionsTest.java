package org.rankunit.collective.verify.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions beside trees that are compared as a whole. */
@Tag("unit")
class ExpressionsTest {

    private static final int RANKS = 5;

    /**
     * @param text the tree as it was made
     * @param bits the same with the operands of each operation in alphabetical order, if both are at the same position
     * @param inputs all leaves from left to right
     * @param elsewhere whether some are at other positions
     */
    private record Tree(String text, String bits, List<Integer> inputs, boolean elsewhere) {

        static Tree leaf(int rank) {
            return new Tree("" + rank, "" + rank, List.of(rank), false);
        }

        Tree reduced(Tree right, long distance) {
            List<Integer> all = new ArrayList<>(inputs);
            all.addAll(right.inputs);
            String made = "(" + text + " " + right.text + " @" + distance + ")";
            boolean turned = distance == 0 && bits.compareTo(right.bits) > 0;
            String first = turned ? right.bits : bits;
            String second = turned ? bits : right.bits;
            // What is at other positions is compared as it was made.
            String sorted = distance == 0 ? "(" + first + " " + second + ")" : made;
            return new Tree(made, sorted, all, elsewhere || right.elsewhere || distance != 0);
        }

        boolean isAllOnce() {
            return !elsewhere
                    && inputs.stream()
                            .sorted()
                            .toList()
                            .equals(IntStream.range(0, RANKS).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void anExpressionIsWhatItsTreeIs(long seed) {
        Random random = new Random(seed);
        Expressions expressions = new Expressions(RANKS);
        Map<Integer, Tree> trees = new HashMap<>();
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            trees.put(expressions.leaf(rank), Tree.leaf(rank));
            all.add(expressions.leaf(rank));
        }
        for (int i = 0; i < 600; i++) {
            int left = all.get(random.nextInt(all.size()));
            int right = all.get(random.nextInt(all.size()));
            if (of(trees, left).inputs.size() + of(trees, right).inputs.size() > RANKS + 1) {
                continue;
            }
            long distance = random.nextInt(5) == 0 ? random.nextInt(3) - 1 : 0;
            Tree tree = of(trees, left).reduced(of(trees, right), distance);
            int node = expressions.reduced(left, right, distance);
            if (trees.putIfAbsent(node, tree) == null) {
                all.add(node);
            }
            compare(expressions, trees, node, tree);
        }
        for (int one : all) {
            for (int other : all) {
                assertThat(one == other).isEqualTo(of(trees, one).text.equals(of(trees, other).text));
                assertThat(expressions.sameBits(one, other))
                        .as("%s and %s", of(trees, one), of(trees, other))
                        .isEqualTo(of(trees, one).bits.equals(of(trees, other).bits));
            }
        }
    }

    private static Tree of(Map<Integer, Tree> trees, int node) {
        return Objects.requireNonNull(trees.get(node));
    }

    private static void compare(Expressions expressions, Map<Integer, Tree> trees, int node, Tree tree) {
        assertThat(trees.get(node)).isEqualTo(tree);
        int[] times = new int[RANKS];
        tree.inputs.forEach(rank -> times[rank]++);
        assertThat(expressions.times(node)).isEqualTo(times);
        assertThat(expressions.isOfOtherPositions(node)).isEqualTo(tree.elsewhere);
        assertThat(expressions.isAllOnce(node)).as(tree.text).isEqualTo(tree.isAllOnce());
        if (tree.isAllOnce()) {
            boolean ascending =
                    tree.inputs.equals(IntStream.range(0, RANKS).boxed().toList());
            assertThat(expressions.isInRankOrder(node)).as(tree.text).isEqualTo(ascending);
        }
    }
}
