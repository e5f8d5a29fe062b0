package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The operations of one rank, packed. They are added to before {@link #built}; after it, nothing changes. */
@API(status = INTERNAL, since = "0.1")
public final class Operations {

    private int size;
    private byte[] kinds = new byte[16];
    private long[] amounts = new long[16];
    private int[] peers = new int[16];
    private int[] tags = new int[16];
    private int[] cpus = new int[16];
    private int[] nics = new int[16];

    private int edges;
    /** The operations that depend on others, and on which, in the order in which this was said. */
    private int[] dependents = new int[16];

    private int[] codes = new int[16];
    /** Where the codes of each operation begin, once it is built. */
    private int[] firsts = {};

    /** Add an operation; returns its number. */
    public int add(GoalOperation.Kind kind, long amount, int peer, int tag, int cpu, int nic) {
        if (size == kinds.length) {
            resize(2 * size);
        }
        kinds[size] = (byte) kind.number();
        amounts[size] = amount;
        peers[size] = peer;
        tags[size] = tag;
        cpus[size] = cpu;
        nics[size] = nic;
        return size++;
    }

    private void resize(int length) {
        kinds = Arrays.copyOf(kinds, length);
        amounts = Arrays.copyOf(amounts, length);
        peers = Arrays.copyOf(peers, length);
        tags = Arrays.copyOf(tags, length);
        cpus = Arrays.copyOf(cpus, length);
        nics = Arrays.copyOf(nics, length);
    }

    /**
     * Say that an operation comes after another one.
     *
     * @param started whether the other one must only have started
     */
    public void depend(int operation, int other, boolean started) {
        if (edges == codes.length) {
            dependents = Arrays.copyOf(dependents, 2 * edges);
            codes = Arrays.copyOf(codes, 2 * edges);
        }
        dependents[edges] = operation;
        codes[edges] = 2 * other + (started ? 1 : 0);
        edges++;
    }

    /** Nothing is added any more: dependencies are sorted, and each is there once. */
    public Operations built() {
        resize(size);
        int[] begin = new int[size + 1];
        for (int edge = 0; edge < edges; edge++) {
            begin[dependents[edge] + 1]++;
        }
        for (int operation = 0; operation < size; operation++) {
            begin[operation + 1] += begin[operation];
        }
        int[] sorted = new int[edges];
        int[] next = begin.clone();
        for (int edge = 0; edge < edges; edge++) {
            sorted[next[dependents[edge]]++] = codes[edge];
        }
        firsts = new int[size + 1];
        int kept = 0;
        for (int operation = 0; operation < size; operation++) {
            Arrays.sort(sorted, begin[operation], begin[operation + 1]);
            for (int at = begin[operation]; at < begin[operation + 1]; at++) {
                if (at == begin[operation] || sorted[at] != sorted[at - 1]) {
                    sorted[kept++] = sorted[at];
                }
            }
            firsts[operation + 1] = kept;
        }
        codes = Arrays.copyOf(sorted, kept);
        dependents = new int[0];
        edges = kept;
        return this;
    }

    /** Number of operations. */
    public int size() {
        return size;
    }

    GoalOperation.Kind kind(int operation) {
        return GoalOperation.Kind.of(kinds[operation]);
    }

    long amount(int operation) {
        return amounts[operation];
    }

    int peer(int operation) {
        return peers[operation];
    }

    int tag(int operation) {
        return tags[operation];
    }

    int cpu(int operation) {
        return cpus[operation];
    }

    /** Where the dependencies of an operation begin; they end where those of the next one begin. */
    int first(int operation) {
        return firsts[operation];
    }

    int required(int dependency) {
        return codes[dependency] / 2;
    }

    boolean isOfStart(int dependency) {
        return codes[dependency] % 2 == 1;
    }

    GoalOperation operation(int number) {
        List<Integer> requires = new ArrayList<>();
        List<Integer> startsAfter = new ArrayList<>();
        for (int dependency = firsts[number]; dependency < firsts[number + 1]; dependency++) {
            (isOfStart(dependency) ? startsAfter : requires).add(required(dependency));
        }
        return new GoalOperation(
                kind(number),
                amounts[number],
                peers[number],
                tags[number],
                cpus[number],
                nics[number],
                requires,
                startsAfter);
    }

    /** Get an operation as a GOAL file has it, without what it depends on. */
    String text(int number) {
        return GoalOperation.text(
                kind(number), amounts[number], peers[number], tags[number], cpus[number], nics[number]);
    }

    List<GoalOperation> all() {
        return new OperationList();
    }

    private final class OperationList extends AbstractList<GoalOperation> implements RandomAccess {

        @Override
        public GoalOperation get(int number) {
            return operation(number);
        }

        @Override
        public int size() {
            return size;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Operations that
                && Arrays.equals(kinds, that.kinds)
                && Arrays.equals(amounts, that.amounts)
                && Arrays.equals(peers, that.peers)
                && Arrays.equals(tags, that.tags)
                && Arrays.equals(cpus, that.cpus)
                && Arrays.equals(nics, that.nics)
                && Arrays.equals(firsts, that.firsts)
                && Arrays.equals(codes, that.codes);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(amounts) + Arrays.hashCode(codes);
    }
}
