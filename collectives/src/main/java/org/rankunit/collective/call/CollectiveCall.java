package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * One call of a collective, the same on all ranks.
 *
 * @param ranks n, at least 1
 * @param type of the elements
 * @param count elements; what they are is said at each {@link Collective}
 * @param counts elements of each rank, in place of {@code count}; of all-to-all and send-recv n * n numbers, {@code counts[from * n + to]}. Empty if
 *     all ranks have as many.
 * @param root the rank with a part of its own; 0 for collectives without one
 * @param reduction {@link Reduction#SUM} for collectives that do not reduce
 * @param inPlace whether input and output are the same memory: the smaller one lies in the larger one, at this rank's part
 * @param servers which ranks are on one server; links inside a server are {@code SDMA}, others {@code RDMA}
 * @param memory which buffers other ranks can reach
 * @param cclBytes of each of the two buffers of the communicator; {@link CclBuffers#bytes()} if nothing else is said
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record CollectiveCall(
        Collective collective,
        int ranks,
        DType type,
        long count,
        List<Long> counts,
        int root,
        Reduction reduction,
        boolean inPlace,
        Servers servers,
        MemoryMode memory,
        long cclBytes) {

    /** Of the parts of all ranks together, so that places in buffers can be added without overflow. */
    private static final long MAX_BYTES = 1L << 58;

    /**
     * Check all parts.
     *
     * @throws IllegalArgumentException if there is no such call, or its data has more than 2^58 bytes for a rank
     */
    public CollectiveCall {
        counts = Counts.copyOf(counts);
        require(ranks >= 1, () -> "ranks = " + ranks + ": a collective has at least one rank");
        require(count >= 0, () -> "count = " + count + ": the number of elements cannot be negative");
        require(root >= 0 && root < ranks, () -> "root = " + root + ": ranks are 0 to " + (ranks - 1));
        require(root == 0 || collective.hasRoot(), () -> "root = " + root + ": " + collective + " has no root");
        require(servers.ranks() == ranks, () -> "servers of " + servers.ranks() + " ranks: the call has " + ranks);
        require(cclBytes >= 1, () -> "cclBytes = " + cclBytes + ": a buffer has at least one byte");
        require(
                reduction == Reduction.SUM || collective.reduces(),
                () -> "reduction = " + reduction + ": " + collective + " does not reduce");
        require(
                !inPlace || !collective.hasCountsOfPairs(),
                () -> "inPlace: the parts of " + collective + " have other places in the output than in the input");
        if (!counts.isEmpty()) {
            int expected = collective.hasCountsOfPairs() ? Math.multiplyExact(ranks, ranks) : ranks;
            require(collective.hasCounts(), () -> "counts: every rank has as many elements in " + collective);
            int given = counts.size();
            require(
                    given == expected,
                    () -> given + " counts: " + collective + " of " + ranks + " ranks has " + expected);
            List<Long> all = counts;
            require(!Counts.copyOf(counts).hasNegative(), () -> "counts = " + all + ": none is negative");
            long most = MAX_BYTES / type.byteSize();
            require(
                    Counts.copyOf(counts).all() <= most,
                    () -> "counts: all together have more than " + most + " " + type);
        }
        // Divided, since a product could overflow.
        long most = MAX_BYTES / type.byteSize() / (collective.hasCounts() ? ranks : 1);
        require(count <= most, () -> "count = " + count + ": expected at most " + most + " " + type);
    }

    /** Algorithms make many calls, so that the text is made only if it is needed. */
    private static void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise.get());
        }
    }

    /** Make a call on one server whose buffers lie in windows. */
    public static CollectiveCall of(Collective collective, int ranks, DType type, long count) {
        return new CollectiveCall(
                collective,
                ranks,
                type,
                count,
                List.of(),
                0,
                Reduction.SUM,
                false,
                Servers.one(ranks),
                MemoryMode.WINDOWS,
                CclBuffers.bytes());
    }

    public CollectiveCall withRanks(int newRanks) {
        return new CollectiveCall(
                collective,
                newRanks,
                type,
                count,
                counts,
                root,
                reduction,
                inPlace,
                servers.withRanks(newRanks),
                memory,
                cclBytes);
    }

    public CollectiveCall withType(DType newType) {
        return new CollectiveCall(
                collective, ranks, newType, count, counts, root, reduction, inPlace, servers, memory, cclBytes);
    }

    public CollectiveCall withCount(long newCount) {
        return new CollectiveCall(
                collective, ranks, type, newCount, counts, root, reduction, inPlace, servers, memory, cclBytes);
    }

    public CollectiveCall withCounts(List<Long> newCounts) {
        return new CollectiveCall(
                collective, ranks, type, count, newCounts, root, reduction, inPlace, servers, memory, cclBytes);
    }

    public CollectiveCall withRoot(int newRoot) {
        return new CollectiveCall(
                collective, ranks, type, count, counts, newRoot, reduction, inPlace, servers, memory, cclBytes);
    }

    public CollectiveCall withReduction(Reduction newReduction) {
        return new CollectiveCall(
                collective, ranks, type, count, counts, root, newReduction, inPlace, servers, memory, cclBytes);
    }

    public CollectiveCall withInPlace(boolean newInPlace) {
        return new CollectiveCall(
                collective, ranks, type, count, counts, root, reduction, newInPlace, servers, memory, cclBytes);
    }

    /** Get the same call with as many ranks on each server; the last one has what is left. */
    public CollectiveCall withRanksPerServer(int ranksPerServer) {
        return withServers(Servers.of(ranks, ranksPerServer));
    }

    public CollectiveCall withServers(Servers newServers) {
        return new CollectiveCall(
                collective, ranks, type, count, counts, root, reduction, inPlace, newServers, memory, cclBytes);
    }

    /**
     * Get the same call with other memory.
     *
     * @param newCclBytes of each of the two buffers of the domain
     */
    public CollectiveCall withMemory(MemoryMode newMemory, long newCclBytes) {
        return new CollectiveCall(
                collective, ranks, type, count, counts, root, reduction, inPlace, servers, newMemory, newCclBytes);
    }

    /** Elements of a rank; of all-to-all and send-recv use {@link #count(int, int)}. */
    public long count(int rank) {
        return counts.isEmpty() ? count : sums().at(rank);
    }

    /** Elements that one rank sends to another in an all-to-all or a send-recv. */
    public long count(int from, int to) {
        return counts.isEmpty() ? count : sums().at(from * ranks + to);
    }

    private Counts sums() {
        return Counts.copyOf(counts);
    }

    /** Size of an element in bytes. */
    public int elementBytes() {
        return type.byteSize();
    }

    /**
     * Get the bytes of a rank among those of all ranks, which lie one after the other: in the output of all-gather and gather, in
     * the input of reduce-scatter and scatter.
     */
    public Slice partOf(int rank) {
        if (counts.isEmpty()) {
            return new Slice(rank * count * elementBytes(), count * elementBytes());
        }
        return new Slice(sums().sum(0, rank) * elementBytes(), count(rank) * elementBytes());
    }

    /** Get what an all-to-all or a send-recv sends from one rank to another, as bytes of the sender's input. */
    public Slice sent(int from, int to) {
        if (counts.isEmpty()) {
            return partOf(to);
        }
        long before = sums().sum(from * ranks, from * ranks + to);
        return new Slice(before * elementBytes(), count(from, to) * elementBytes());
    }

    /** Get what an all-to-all or a send-recv sends from one rank to another, as bytes of the receiver's output. */
    public Slice received(int from, int to) {
        if (counts.isEmpty()) {
            return partOf(from);
        }
        long before = sums().received(from, to, ranks);
        return new Slice(before * elementBytes(), count(from, to) * elementBytes());
    }

    /** Divide the {@code count} elements into parts, as equal as possible. */
    public Slice part(int number, int parts) {
        return Slice.ofPart(number, parts, count, elementBytes());
    }

    /** Bytes of all parts together. */
    private long allParts() {
        return partOf(ranks - 1).end();
    }

    /** Size of a rank's input; 0 where only the root has one. */
    public long inputBytes(int rank) {
        return switch (collective) {
            case ALL_GATHER, GATHER -> partOf(rank).bytes();
            case REDUCE_SCATTER -> allParts();
            case ALL_REDUCE, REDUCE -> count * elementBytes();
            case BROADCAST -> rank == root ? count * elementBytes() : 0;
            case SCATTER -> rank == root ? allParts() : 0;
            case ALL_TO_ALL, SEND_RECV -> sent(rank, ranks - 1).end();
            case BARRIER -> 0;
        };
    }

    /** Size of a rank's output; 0 where only the root has one. */
    public long outputBytes(int rank) {
        return switch (collective) {
            case ALL_GATHER -> allParts();
            case REDUCE_SCATTER, SCATTER -> partOf(rank).bytes();
            case ALL_REDUCE, BROADCAST -> count * elementBytes();
            case REDUCE -> rank == root ? count * elementBytes() : 0;
            case GATHER -> rank == root ? allParts() : 0;
            case ALL_TO_ALL, SEND_RECV -> received(ranks - 1, rank).end();
            case BARRIER -> 0;
        };
    }

    /** Where the smaller of input and output begins in the larger one, if the call is in place. */
    public long inPlaceOffset(int rank) {
        return switch (collective) {
            case ALL_GATHER, REDUCE_SCATTER -> partOf(rank).from();
            case SCATTER, GATHER -> rank == root ? partOf(rank).from() : 0;
            default -> 0;
        };
    }

    /** Whether rank's input lies in its output if the call is in place; otherwise the output lies in the input. */
    public boolean inputLiesInOutput(int rank) {
        return outputBytes(rank) >= inputBytes(rank);
    }

    /** Whether both ranks are on one server. */
    public boolean sameServer(int one, int other) {
        return servers.of(one) == servers.of(other);
    }

    /** What the output of a rank must hold, in the order of its bytes; every byte of the output is in one of them. */
    public List<Demand> demands(int rank) {
        List<Demand> demands = new ArrayList<>();
        switch (collective) {
            case ALL_GATHER -> addParts(demands);
            case GATHER -> {
                if (rank == root) {
                    addParts(demands);
                }
            }
            case REDUCE_SCATTER ->
                demands.add(new Demand(
                        new Slice(0, partOf(rank).bytes()),
                        Demand.ALL,
                        partOf(rank).from()));
            case SCATTER ->
                demands.add(new Demand(
                        new Slice(0, partOf(rank).bytes()), root, partOf(rank).from()));
            case ALL_REDUCE -> demands.add(new Demand(new Slice(0, outputBytes(rank)), Demand.ALL, 0));
            case REDUCE -> demands.add(new Demand(new Slice(0, outputBytes(rank)), Demand.ALL, 0));
            case BROADCAST -> demands.add(new Demand(new Slice(0, outputBytes(rank)), root, 0));
            case ALL_TO_ALL, SEND_RECV -> {
                for (int from = 0; from < ranks; from++) {
                    demands.add(new Demand(
                            received(from, rank), from, sent(from, rank).from()));
                }
            }
            case BARRIER -> {}
        }
        demands.removeIf(each -> each.output().bytes() == 0);
        return Collections.unmodifiableList(demands);
    }

    private void addParts(List<Demand> demands) {
        long from = 0;
        for (int source = 0; source < ranks; source++) {
            long bytes = count(source) * elementBytes();
            demands.add(new Demand(new Slice(from, bytes), source, 0));
            from += bytes;
        }
    }

    /** Returns {@code "all-reduce of 4 ranks, 100 float32"}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(collective).append(" of ").append(ranks).append(ranks == 1 ? " rank" : " ranks");
        if (collective != Collective.BARRIER) {
            text.append(", ").append(counts.isEmpty() ? Long.toString(count) : counts.toString());
            text.append(' ').append(type);
        }
        text.append(collective.reduces() ? ", " + reduction : "");
        text.append(collective.hasRoot() ? ", root " + root : "");
        text.append(inPlace ? ", in place" : "");
        text.append(servers.count() > 1 ? ", " + servers : "");
        if (memory == MemoryMode.SINGLE_OPERATOR) {
            text.append(", single operator with CCL buffers of ")
                    .append(cclBytes)
                    .append(" bytes");
        }
        return text.toString();
    }
}
