package org.rankunit.engine.check;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.rankunit.engine.check.Access.How;
import org.rankunit.engine.check.bytes.Pieces;
import org.rankunit.engine.check.bytes.Pieces.Bytes;
import org.rankunit.engine.check.order.Prefix;
import org.rankunit.engine.check.order.ProgramOrder;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.Overlaps;

/**
 * Finds pairs of accesses to the same bytes, at least one of which changes them, of which neither happened before the other.
 * What matters is the order that the program makes, not the one in which things happened to run.
 */
final class Races {

    /** So many races of the same two for the same memory are told; more say no more. */
    private static final int MAX_PAIRS = 4;

    /** So many are looked at of each two chains of events, for one range of bytes. */
    private static final int MAX_UNORDERED = 64;

    private static final String POLLED =
            "\n    A host that reads a cell again and again does not wait for its signal. Let a stream wait, by"
                    + " Stream.waitUntil, and synchronize with it; kernels have rankunit_wait and rankunit_test.";

    private final ProgramOrder order;

    /** Those of each space. */
    private final Collection<List<Alike>> accesses;

    /** Two accesses that nothing orders. */
    private record Pair(Access a, Access b) {

        /** The same, whichever was found first. */
        Pair inOrder() {
            return a.node().number <= b.node().number ? this : new Pair(b, a);
        }
    }

    private record Users(Space space, String a, String b) {}

    private record Lines(String a, String b) {}

    Races(ProgramOrder order, List<Access> accesses) {
        this.order = order;
        this.accesses = alike(accesses, order);
    }

    /** Describe the races, the first ones of each two that raced for some memory. */
    List<String> texts(MemoryNames memory) {
        return find().stream().map(pair -> text(pair, memory)).toList();
    }

    private static String text(Pair pair, MemoryNames memory) {
        Bytes bytes = requireNonNull(pair.a().pieces().firstIn(pair.b().pieces()));
        return "race: two unordered accesses to "
                + memory.of(
                        new Place(pair.a().space(), bytes.begin()),
                        bytes.end() - bytes.begin(),
                        pair.a().node(),
                        pair.b().node())
                + "\n    " + text(pair.a()) + "\n    " + text(pair.b())
                + "\n    No edge, event, notify, semaphore, barrier or lock makes one of them happen before the other."
                + (isPolledByHost(pair.a(), pair.b()) || isPolledByHost(pair.b(), pair.a()) ? POLLED : "");
    }

    private static boolean isPolledByHost(Access reader, Access signal) {
        return reader.isByHost() && reader.how() == How.READ && signal.how() == How.ATOMIC;
    }

    private static String text(Access access) {
        return access.how().text() + " by " + access.who() + ": " + access.what();
    }

    private List<Pair> find() {
        Map<Users, Map<Lines, Pair>> found = new LinkedHashMap<>();
        for (List<Alike> ofSpace : accesses) {
            ofSpace.forEach(each -> addUnordered(each, each, found));
            Overlaps.forEach(ofSpace, (a, b) -> addUnordered(a, b, found));
        }
        return found.values().stream()
                .flatMap(pairs -> pairs.values().stream().limit(MAX_PAIRS))
                .toList();
    }

    private void addUnordered(Alike a, Alike b, Map<Users, Map<Lines, Pair>> found) {
        if (a.mayConflict(b) && a.pieces.firstIn(b.pieces) != null) {
            a.forEachUnordered(b, order, pair -> {
                Pair told = pair.inOrder();
                found.computeIfAbsent(
                                new Users(a.space, told.a().who(), told.b().who()), users -> new LinkedHashMap<>())
                        .putIfAbsent(new Lines(told.a().what(), told.b().what()), told);
            });
        }
    }

    /** Accesses that do the same to the same bytes. */
    private static final class Alike implements Overlaps.Range {

        final Space space;
        final How how;
        private final Pieces pieces;

        /** Those of each chain, in its order. */
        private final Map<Integer, List<Access>> chains = new LinkedHashMap<>();

        /** An access of each who made one. */
        private final Map<String, Access> users = new LinkedHashMap<>();

        Alike(Access first) {
            this.space = first.space();
            this.how = first.how();
            this.pieces = first.pieces();
        }

        void add(Access access, int chain) {
            chains.computeIfAbsent(chain, each -> new ArrayList<>()).add(access);
            users.putIfAbsent(access.who(), access);
        }

        @Override
        public long offset() {
            return pieces.offset();
        }

        @Override
        public long bytes() {
            return pieces.span();
        }

        boolean isOfData() {
            return how == How.READ || how == How.WRITE;
        }

        boolean mayConflict(Alike other) {
            return how.mayConflictWith(other.how);
        }

        /** The first ones of each two chains; in a loop, the others say no more. */
        void forEachUnordered(Alike other, ProgramOrder order, Consumer<Pair> receiver) {
            for (List<Access> chain : chains.values()) {
                for (List<Access> others : other.chains.values()) {
                    int found = 0;
                    for (int i = 0; i < chain.size() && found < MAX_UNORDERED; i++) {
                        found += tellUnordered(chain.get(i), others, order, receiver);
                    }
                }
            }
        }

        /** Of a chain, those which happen before an access come first, and those which happen after it last. */
        private static int tellUnordered(
                Access access, List<Access> others, ProgramOrder order, Consumer<Pair> receiver) {
            int found = 0;
            for (int i = countBefore(others, access, order); i < others.size() && found < MAX_UNORDERED; i++) {
                Access unordered = others.get(i);
                if (order.isBefore(access.node(), unordered.node())) {
                    break;
                }
                if (access.node() != unordered.node() && access.conflictsWith(unordered)) {
                    receiver.accept(new Pair(access, unordered));
                    found++;
                }
            }
            return found;
        }

        boolean isSharedWith(Alike other, Function<Access, String> userOf) {
            return mayConflict(other)
                    && pieces.firstIn(other.pieces) != null
                    && users.values().stream()
                            .anyMatch(user -> other.users.values().stream()
                                    .anyMatch(another -> user.node().rank != another.node().rank
                                            || (!user.isByHost()
                                                    && !another.isByHost()
                                                    && !userOf.apply(user).equals(userOf.apply(another)))));
        }

        private static int countBefore(List<Access> chain, Access access, ProgramOrder order) {
            return Prefix.end(0, chain.size(), i -> order.isBefore(chain.get(i).node(), access.node()));
        }
    }

    private static Collection<List<Alike>> alike(List<Access> accesses, ProgramOrder order) {
        record Key(Space space, Pieces pieces, How how) {}
        Map<Key, Alike> all = new LinkedHashMap<>();
        for (Access access : accesses) {
            all.computeIfAbsent(new Key(access.space(), access.pieces(), access.how()), key -> new Alike(access))
                    .add(access, order.chainOf(access.node()));
        }
        Map<Space, List<Alike>> bySpace = new LinkedHashMap<>();
        for (Alike each : all.values()) {
            each.chains
                    .values()
                    .forEach(chain -> chain.sort(Comparator.comparingInt(access -> order.indexOf(access.node()))));
            bySpace.computeIfAbsent(each.space, space -> new ArrayList<>()).add(each);
        }
        return bySpace.values();
    }

    /** Whether two that only signals, notifies, events or edges can order access the same bytes, and one of them writes. */
    boolean isAnythingShared(KernelRuns kernels) {
        boolean[] shared = new boolean[1];
        for (List<Alike> ofSpace : accesses) {
            List<Alike> data = ofSpace.stream().filter(Alike::isOfData).toList();
            data.forEach(each -> shared[0] |= each.isSharedWith(each, kernels::userOf));
            Overlaps.forEach(data, (a, b) -> shared[0] |= a.isSharedWith(b, kernels::userOf));
        }
        return shared[0];
    }
}
