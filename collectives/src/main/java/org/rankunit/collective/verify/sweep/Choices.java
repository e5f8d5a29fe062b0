package org.rankunit.collective.verify.sweep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.call.Servers;

/**
 * The values of all parameters for one number of ranks, the plainest one of each first. They are where algorithms go wrong: around the
 * number of ranks, beyond sizes at which others change their algorithm, beyond the CCL buffers, beyond what an {@code int} holds.
 */
final class Choices {

    /** Up to here there are all values; beyond it, some of them come by turns, so that many ranks do not need many calls. */
    private static final int FEW = 16;

    private static final int ALL_ROOTS_UP_TO = 8;
    private static final long PRIME = 131;

    /** Primes next to 4 Ki, 64 Ki and 1 Mi elements: with elements of 1 to 8 bytes, messages of all sizes at which others change. */
    private static final List<Long> LARGE = List.of(4_099L, 65_539L, 1_048_583L);

    /** What CCL buffers have in HCCL unless something else is said. */
    private static final long USUAL_CCL_BYTES = 200L << 20;

    private static final int CHUNKS = 5;
    private static final int MAX_CHUNKS = 12;

    private final Collective collective;
    private final int ranks;
    private final Selection selection;

    Choices(Collective collective, int ranks, Selection selection) {
        this.collective = collective;
        this.ranks = ranks;
        this.selection = selection;
    }

    /** In the order in which they are applied to a call: the size of elements and their number before the buffers that hold them. */
    List<List<Choice>> all() {
        return List.of(types(), counts(), divisions(), roots(), reductions(), servers(), places(), memory());
    }

    private List<Choice> types() {
        List<DType> types = new ArrayList<>(selection.types());
        if (collective == Collective.BARRIER) {
            types = List.of(DType.FLOAT32);
        } else if (types.isEmpty()) {
            types.add(DType.FLOAT32);
            // One of each size, another one for the next number of ranks.
            for (int bytes = 1; bytes <= Long.BYTES; bytes *= 2) {
                List<DType> ofSize = ofSize(bytes);
                DType type = ofSize.get(ranks % ofSize.size());
                if (!types.contains(type) && (ranks <= FEW || bytes == Long.BYTES)) {
                    types.add(type);
                }
            }
        }
        return choices(Parameter.TYPE, types, DType::toString, (call, type) -> call.withType(type));
    }

    private static List<DType> ofSize(int bytes) {
        List<DType> types = new ArrayList<>(List.of(DType.values()));
        types.removeIf(type -> type.byteSize() != bytes);
        return types;
    }

    private List<Choice> counts() {
        if (collective == Collective.BARRIER) {
            return List.of(unchanged(Parameter.COUNT, Choice.NONE));
        }
        if (!selection.counts().isEmpty()) {
            return choices(Parameter.COUNT, selection.counts(), String::valueOf, CollectiveCall::withCount);
        }
        Map<String, Long> named = new LinkedHashMap<>();
        named.put("2n", 2L * ranks);
        if (ranks <= FEW) {
            named.put("0", 0L);
            named.put("1", 1L);
            named.put("n - 1", ranks - 1L);
            named.put("n", (long) ranks);
            named.put("n + 1", ranks + 1L);
            named.put(String.valueOf(PRIME), PRIME);
            LARGE.forEach(count -> named.put(String.valueOf(count), count));
        } else if (ranks <= Sweep.ALL_UP_TO) {
            named.put("n + 1", ranks + 1L);
            named.put(String.valueOf(PRIME), PRIME);
            named.put(ranks % 2 == 0 ? "0" : "n - 1", ranks % 2 == 0 ? 0L : ranks - 1L);
        } else {
            named.put("0", 0L);
            named.put("1", 1L);
        }
        List<Choice> choices = new ArrayList<>();
        named.forEach((label, count) -> choices.add(new Choice(Parameter.COUNT, label, call -> call.withCount(count))));
        choices.add(new Choice(Parameter.COUNT, "more than 2 GiB", Choices::beyondInt));
        return choices;
    }

    /** More bytes than an int can count in input or output, and more than CCL buffers of the usual size hold. */
    private static CollectiveCall beyondInt(CollectiveCall call) {
        long elements = (1L << (Integer.SIZE - 1)) / call.elementBytes();
        return call.withCount(elements / parts(call) + 13);
    }

    private static long parts(CollectiveCall call) {
        return call.collective().hasCounts() ? call.ranks() : 1;
    }

    private List<Choice> divisions() {
        List<Choice> choices = new ArrayList<>(List.of(unchanged(Parameter.DIVISION, "equal")));
        if (collective.hasCounts() && ranks <= Sweep.ALL_UP_TO) {
            choices.add(divided("unequal with empty ones", i -> i * 7 % 5));
            int size = collective.hasCountsOfPairs() ? ranks * ranks : ranks;
            // Of pairs, from the last rank to the first one.
            int alone = collective.hasCountsOfPairs() ? (ranks - 1) * ranks : size - 1;
            choices.add(divided("all with one rank", i -> i == alone ? 2 : 0));
        }
        return choices;
    }

    /** @param halves of the call's count that a part has, by its number */
    private Choice divided(String label, LongUnaryOperator halves) {
        int size = collective.hasCountsOfPairs() ? ranks * ranks : ranks;
        return new Choice(
                Parameter.DIVISION,
                label,
                call -> call.withCounts(LongStream.range(0, size)
                        .map(i -> halves.applyAsLong(i) * call.count() / 2)
                        .boxed()
                        .toList()));
    }

    private List<Choice> roots() {
        if (!collective.hasRoot()) {
            return List.of(unchanged(Parameter.ROOT, Choice.NONE));
        }
        List<Integer> given =
                selection.roots().stream().filter(root -> root < ranks).toList();
        if (!selection.roots().isEmpty()) {
            return choices(Parameter.ROOT, given, String::valueOf, CollectiveCall::withRoot);
        }
        Map<Integer, String> named = new LinkedHashMap<>();
        named.put(0, "first");
        named.putIfAbsent(ranks - 1, "last");
        named.putIfAbsent(ranks / 2, "middle");
        for (int root = 0; root < ranks && ranks <= ALL_ROOTS_UP_TO; root++) {
            named.putIfAbsent(root, "all others up to " + ALL_ROOTS_UP_TO + " ranks");
        }
        return choices(
                Parameter.ROOT,
                List.copyOf(named.entrySet()),
                Map.Entry::getValue,
                (call, root) -> call.withRoot(root.getKey()));
    }

    private List<Choice> reductions() {
        if (!collective.reduces()) {
            return List.of(unchanged(Parameter.REDUCTION, Choice.NONE));
        }
        List<Reduction> chosen = new ArrayList<>(selection.reductions());
        Reduction[] all = Reduction.values();
        for (int i = 0; i < all.length && selection.reductions().isEmpty(); i++) {
            if (ranks <= FEW || (ranks + i) % 2 == 0) {
                chosen.add(all[i]);
            }
        }
        return choices(Parameter.REDUCTION, chosen, Reduction::toString, CollectiveCall::withReduction);
    }

    private List<Choice> servers() {
        Map<Servers, String> named = new LinkedHashMap<>();
        if (!selection.ranksPerServer().isEmpty() || !selection.servers().isEmpty()) {
            selection.ranksPerServer().stream()
                    .filter(each -> each <= ranks)
                    .forEach(each -> named.putIfAbsent(Servers.of(ranks, each), each + " ranks each"));
            selection.servers().stream()
                    .filter(each -> each.ranks() == ranks)
                    .forEach(each -> named.putIfAbsent(each, each.toString().replaceFirst("^servers ", "")));
        } else {
            named.put(Servers.one(ranks), "1");
            // If they do not divide the ranks, the last server has fewer.
            for (int number : ranks <= FEW ? List.of(2, 3, 4) : List.of(2 + ranks % 3)) {
                Servers servers = Servers.of(ranks, (ranks + number - 1) / number);
                named.putIfAbsent(servers, servers.count() + (servers.areEqual() ? "" : " with a smaller last one"));
            }
            named.putIfAbsent(Servers.of(ranks, 1), "one for each rank");
            if (ranks >= 4) {
                int largest = ranks / 2;
                named.putIfAbsent(Servers.ofSizes(List.of(1, largest, ranks - largest - 1)), "3 of different size");
            }
        }
        return choices(
                Parameter.SERVERS,
                List.copyOf(named.entrySet()),
                Map.Entry::getValue,
                (call, each) -> call.withServers(each.getKey()));
    }

    private List<Choice> places() {
        List<Choice> choices = new ArrayList<>(List.of(unchanged(Parameter.PLACE, "out of place")));
        if (!collective.hasCountsOfPairs() && collective != Collective.BARRIER) {
            choices.add(new Choice(Parameter.PLACE, "in place", call -> call.withInPlace(true)));
        }
        return choices;
    }

    private List<Choice> memory() {
        List<Choice> choices = new ArrayList<>(List.of(
                unchanged(Parameter.MEMORY, "windows"),
                inCclBuffers("CCL buffers that take one chunk", call -> bytesOfChunks(call, 1)),
                inCclBuffers("CCL buffers that take five chunks", call -> bytesOfChunks(call, CHUNKS))));
        if (ranks <= FEW) {
            choices.add(inCclBuffers("CCL buffers of 200 MiB", call -> USUAL_CCL_BYTES));
            choices.add(inCclBuffers("CCL buffers that take many chunks", Choices::bytesOfManyChunks));
        }
        return choices;
    }

    private static Choice inCclBuffers(String label, ToLongFunction<CollectiveCall> bytes) {
        return new Choice(
                Parameter.MEMORY, label, call -> call.withMemory(MemoryMode.SINGLE_OPERATOR, bytes.applyAsLong(call)));
    }

    /** So many that data is done in chunks of half of the buffers, as far as it has as many elements; of five, each half comes again. */
    private static long bytesOfChunks(CollectiveCall call, int chunks) {
        long ofChunk = (most(call) + chunks - 1) / chunks;
        return Math.max(3, 2 * ofChunk) * parts(call) * call.elementBytes();
    }

    /** Three elements for each rank, or more so that it does not take too many chunks. */
    private static long bytesOfManyChunks(CollectiveCall call) {
        long ofChunk = (most(call) + MAX_CHUNKS - 1) / MAX_CHUNKS;
        return Math.max(3, ofChunk) * call.ranks() * call.elementBytes();
    }

    private static long most(CollectiveCall call) {
        return call.counts().isEmpty() ? call.count() : Collections.max(call.counts());
    }

    private static Choice unchanged(Parameter parameter, String label) {
        return new Choice(parameter, label, UnaryOperator.identity());
    }

    private static <T> List<Choice> choices(
            Parameter parameter,
            List<T> values,
            Function<T, String> label,
            BiFunction<CollectiveCall, T, CollectiveCall> applied) {
        return values.stream()
                .map(value -> new Choice(parameter, label.apply(value), call -> applied.apply(call, value)))
                .toList();
    }
}
