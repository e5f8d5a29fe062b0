package org.rankunit.collective.verify.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Chooses rows, of one value for each parameter, so that every two values that can be in one row are in one. Most mistakes that depend
 * on parameters at all depend on one or two of them (Kuhn, Wallace, Gallo: "Software Fault Interactions and Implications for Software
 * Testing", IEEE TSE 30, 2004).
 *
 * <p>The rows are chosen greedily, as in AETG (Cohen and others, IEEE TSE 23, 1997): each begins with a pair that no row has yet.
 */
final class Covering {

    /** Rows that are compared before one is chosen. */
    private static final int CANDIDATES = 24;

    /** Rows that are tried before a pair is given up. */
    private static final int ATTEMPTS = 40;

    private final int[] sizes;
    private final Predicate<int[]> allowed;

    /** What {@link #allowed} has said, by the numbers of rows: it takes long, and the same rows are tried again and again. */
    private final Map<Long, Boolean> said = new HashMap<>();

    private final Random random;

    /** Which values are in one row, by their numbers among those of all parameters. */
    private final boolean[][] met;

    /** The number of a parameter's first value. */
    private final int[] first;

    /** The parameter of a value. */
    private final int[] parameter;

    private final List<int[]> rows = new ArrayList<>();

    private Covering(int[] sizes, Predicate<int[]> allowed, long seed) {
        this.sizes = sizes.clone();
        this.allowed = allowed;
        this.random = new Random(seed);
        this.first = new int[sizes.length];
        int values = Arrays.stream(sizes).sum();
        this.parameter = new int[values];
        int next = 0;
        for (int i = 0; i < sizes.length; i++) {
            first[i] = next;
            Arrays.fill(parameter, next, next + sizes[i], i);
            next += sizes[i];
        }
        this.met = new boolean[values][values];
    }

    /**
     * Choose rows; the first one has the first value of each parameter, if that is allowed.
     *
     * @param sizes how many values each parameter has, at least one
     * @param allowed whether a row can be; it must always say the same
     * @param seed other seeds choose other rows
     */
    static List<int[]> rows(int[] sizes, Predicate<int[]> allowed, long seed) {
        Covering covering = new Covering(sizes, allowed, seed);
        int[] plainest = new int[sizes.length];
        if (covering.isAllowed(plainest)) {
            covering.add(plainest);
        }
        covering.coverPairs();
        return List.copyOf(covering.rows);
    }

    private void coverPairs() {
        for (int one = 0; one < met.length; one++) {
            // With itself: a value is in a row even if there is no other parameter.
            for (int other = one; other < met.length; other++) {
                if (!met[one][other] && (one == other || parameter[one] != parameter[other])) {
                    int[] fixed = new int[sizes.length];
                    Arrays.fill(fixed, -1);
                    fixed[parameter[one]] = one - first[parameter[one]];
                    fixed[parameter[other]] = other - first[parameter[other]];
                    rowWith(fixed).ifPresent(this::add);
                }
            }
        }
    }

    /** The best one of some that are allowed; empty if none was found. */
    private Optional<int[]> rowWith(int[] fixed) {
        int[] best = null;
        int most = -1;
        int found = 0;
        for (int attempt = 0; attempt < ATTEMPTS && found < CANDIDATES; attempt++) {
            // Values exclude each other, so that a change of a row that is allowed is tried as well.
            int[] row = attempt % 2 == 1 && !rows.isEmpty() ? changed(fixed) : greedy(fixed);
            if (isAllowed(row)) {
                found++;
                int pairs = newPairs(row);
                if (pairs > most) {
                    most = pairs;
                    best = row;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isAllowed(int[] row) {
        long number = 0;
        for (int i = 0; i < row.length; i++) {
            number = number * sizes[i] + row[i];
        }
        return said.computeIfAbsent(number, missing -> allowed.test(row));
    }

    /** Each open parameter, in any order, gets the value that meets most others for the first time. */
    private int[] greedy(int[] fixed) {
        int[] row = fixed.clone();
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < row.length; i++) {
            if (row[i] < 0) {
                open.add(i);
            }
        }
        Collections.shuffle(open, random);
        for (int each : open) {
            row[each] = bestValue(row, each);
        }
        return row;
    }

    private int bestValue(int[] row, int of) {
        int most = -1;
        int best = 0;
        int begin = random.nextInt(sizes[of]);
        for (int i = 0; i < sizes[of]; i++) {
            int value = (begin + i) % sizes[of];
            int pairs = newPairs(row, of, value);
            if (pairs > most) {
                most = pairs;
                best = value;
            }
        }
        return best;
    }

    private int[] changed(int[] fixed) {
        int[] row = rows.get(random.nextInt(rows.size())).clone();
        for (int i = 0; i < row.length; i++) {
            row[i] = fixed[i] < 0 ? row[i] : fixed[i];
        }
        return row;
    }

    private int newPairs(int[] row) {
        int pairs = 0;
        for (int i = 0; i < row.length; i++) {
            pairs += newPairs(row, i, row[i]);
        }
        return pairs;
    }

    private int newPairs(int[] row, int of, int value) {
        int pairs = 0;
        for (int other = 0; other < row.length; other++) {
            if (other != of && row[other] >= 0 && !met[first[of] + value][first[other] + row[other]]) {
                pairs++;
            }
        }
        return pairs;
    }

    private void add(int[] row) {
        rows.add(row);
        for (int i = 0; i < row.length; i++) {
            for (int j = 0; j < row.length; j++) {
                met[first[i] + row[i]][first[j] + row[j]] = true;
            }
        }
    }
}
