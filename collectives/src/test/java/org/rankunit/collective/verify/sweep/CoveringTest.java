package org.rankunit.collective.verify.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows are held against all rows that there can be. */
@Tag("unit")
class CoveringTest {

    private static final int CASES = 300;

    /** All pairs of values in these rows, those of a value with itself as well. */
    private static Set<List<Integer>> pairs(List<int[]> rows) {
        Set<List<Integer>> pairs = new HashSet<>();
        for (int[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                for (int j = i; j < row.length; j++) {
                    pairs.add(List.of(i, row[i], j, row[j]));
                }
            }
        }
        return pairs;
    }

    private static List<int[]> allRows(int[] sizes) {
        List<int[]> rows = new ArrayList<>(List.of(new int[sizes.length]));
        for (int i = 0; i < sizes.length; i++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] row : rows) {
                for (int value = 0; value < sizes[i]; value++) {
                    int[] next = row.clone();
                    next[i] = value;
                    longer.add(next);
                }
            }
            rows = longer;
        }
        return rows;
    }

    @Test
    void everyTwoValuesThatCanMeetDo() {
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            int[] sizes = random.ints(1 + random.nextInt(5), 1, 6).toArray();
            // Two values that exclude each other, as "in place" and a mode of memory can.
            int one = random.nextInt(sizes.length);
            int other = random.nextInt(sizes.length);
            Predicate<int[]> allowed = row -> one == other || row[one] != 0 || row[other] % 2 == 0;

            List<int[]> rows = Covering.rows(sizes, allowed, seed);

            List<int[]> possible = allRows(sizes).stream().filter(allowed).toList();
            assertThat(rows).as("seed %s", seed).allMatch(allowed);
            assertThat(pairs(rows))
                    .as("sizes %s, seed %s", Arrays.toString(sizes), seed)
                    .isEqualTo(pairs(possible));
            assertThat(rows.get(0)).containsOnly(0);
        }
    }

    @Test
    void rowsAreNotManyMoreThanTheTwoLargestParametersNeed() {
        int[] sizes = {10, 6, 5, 4, 4, 3, 2, 2};

        assertThat(Covering.rows(sizes, row -> true, 1)).hasSizeBetween(60, 75);
    }

    @Test
    void aParameterAloneHasARowForEachValue() {
        assertThat(Covering.rows(new int[] {4}, row -> true, 1))
                .extracting(row -> row[0])
                .containsExactly(0, 1, 2, 3);
    }

    @Test
    void nothingThatIsAllowedIsNoRow() {
        assertThat(Covering.rows(new int[] {2, 2}, row -> false, 1)).isEmpty();
    }
}
