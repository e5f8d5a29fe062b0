package org.rankunit.collective.simulate;

import java.util.Arrays;

/** The tasks that took time, and for each the one that it had to wait for longest. */
final class Steps {

    private int size;
    private int[] ranks = new int[64];
    private int[] tasks = new int[64];
    private int[] befores = new int[64];
    private double[] begins = new double[64];
    private double[] ends = new double[64];

    /** @param before the step without which it would have begun earlier; -1 if there is none */
    int add(int rank, int task, int before, double begin, double end) {
        if (size == ranks.length) {
            ranks = Arrays.copyOf(ranks, 2 * size);
            tasks = Arrays.copyOf(tasks, 2 * size);
            befores = Arrays.copyOf(befores, 2 * size);
            begins = Arrays.copyOf(begins, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        ranks[size] = rank;
        tasks[size] = task;
        befores[size] = before;
        begins[size] = begin;
        ends[size] = end;
        return size++;
    }

    int size() {
        return size;
    }

    int rank(int step) {
        return ranks[step];
    }

    int task(int step) {
        return tasks[step];
    }

    int before(int step) {
        return befores[step];
    }

    double begin(int step) {
        return begins[step];
    }

    double end(int step) {
        return ends[step];
    }
}
