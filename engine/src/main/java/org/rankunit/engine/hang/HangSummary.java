package org.rankunit.engine.hang;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.rankunit.engine.protocol.CommOperation;
import org.rankunit.engine.protocol.RankOutcome.RankWait;

/** Describes in one sentence what hanging ranks are waiting for, by matching their flight recorders. */
public final class HangSummary {

    /** Where one rank is. */
    public sealed interface Position {

        /**
         * The rank said where it is.
         *
         * @param waits what its devices wait for, if it waits for them and they cannot go on by themselves
         */
        record There(String place, List<CommOperation> operations, List<String> waits) implements Position {

            There(String place, List<CommOperation> operations) {
                this(place, operations, List.of());
            }

            /** Whether it is in an operation of its communicator, or came out of one without success. */
            boolean isInOperation() {
                return operations.stream().anyMatch(CommOperation::isOpen);
            }
        }

        /**
         * The rank is outside of the test.
         *
         * @param where a clause whose words in braces agree with the number of ranks: <code>{has} ended {its} tests</code>
         * @param operations the last operations of its communicator, as far as they are known
         */
        record Outside(String where, List<CommOperation> operations) implements Position {

            Outside(String where) {
                this(where, List.of());
            }
        }

        /** The rank did not answer; {@code why} is what can be seen of its process, or empty. */
        record Silent(String why) implements Position {}
    }

    private final SortedMap<Integer, Position> positions;

    /** The operation that each rank is in or was released from; ranks that are in none are not included. */
    private final Map<Integer, CommOperation> open = new LinkedHashMap<>();

    private HangSummary(SortedMap<Integer, Position> positions) {
        this.positions = positions;
        positions.forEach((rank, position) -> openOperation(position).ifPresent(o -> open.put(rank, o)));
    }

    /** Describe what holds the ranks, without a full stop. */
    public static String sentence(SortedMap<Integer, Position> positions) {
        return new HangSummary(positions).describe();
    }

    /** What each rank waits for, in ascending order; ranks that wait for nothing that is known are not included. */
    static List<RankWait> waits(SortedMap<Integer, Position> positions) {
        List<RankWait> waits = new ArrayList<>();
        positions.forEach((rank, position) -> {
            List<Integer> awaited = WaitCycle.awaitedBy(positions, rank);
            String where = whereWaits(position);
            if (!where.isEmpty() && !(position instanceof Position.Outside && awaited.isEmpty())) {
                waits.add(new RankWait(rank, where, awaited));
            }
        });
        return List.copyOf(waits);
    }

    private static String whereWaits(Position position) {
        if (position instanceof Position.Outside outside) {
            return number(outside.where(), List.of(0));
        } else if (position instanceof Position.There there) {
            return openOperation(there)
                    .map(CommOperation::nameAndPlace)
                    .orElseGet(() -> String.join(", and ", there.waits()));
        }
        return "";
    }

    private static Optional<CommOperation> openOperation(Position position) {
        if (position instanceof Position.There there && !there.operations().isEmpty()) {
            // Clean-up methods may have tried further operations after a release, in vain; only the first one matters.
            return there.operations().stream().filter(CommOperation::isOpen).findFirst();
        }
        return Optional.empty();
    }

    private String describe() {
        List<Integer> cycle = cycle();
        Map<Integer, CommOperation> inside = new LinkedHashMap<>(open);
        inside.keySet().removeAll(cycle);
        List<String> clauses = new ArrayList<>();
        grouped(inside, (rank, operation) -> inside(operation))
                .forEach((text, ranks) -> clauses.add(ranks(ranks) + " " + number(text, ranks)));
        Optional<CommOperation> one =
                meetings(open.keySet()) == 1 ? open.values().stream().findFirst() : Optional.empty();
        if (one.isPresent() && open.size() > 1 && open.size() == members(one.get())) {
            clauses.set(
                    clauses.size() - 1,
                    clauses.get(clauses.size() - 1)
                            + (isSizeSame() ? ", and it has not completed" : "; sizes differ: " + sizes()));
        }
        Map<Integer, Position> others = new LinkedHashMap<>(positions);
        others.keySet().removeAll(open.keySet());
        grouped(others, (rank, position) -> elsewhere(position, one.filter(o -> isMember(rank, o))))
                .forEach((text, ranks) -> clauses.add(ranks(ranks) + " " + number(text, ranks)));
        if (!cycle.isEmpty()) {
            clauses.add(0, "a deadlock: " + circle(cycle));
            return String.join("; ", clauses);
        }
        String sentence = String.join("; ", clauses);
        return one.isEmpty() && !open.isEmpty() ? "the ranks wait in different places: " + sentence : sentence;
    }

    /** Ranks that wait for each other in a cycle of different operations; empty if there is none. */
    private List<Integer> cycle() {
        List<Integer> cycle = WaitCycle.seen(positions);
        return open.keySet().containsAll(cycle) && meetings(cycle) > 1 ? cycle : List.of();
    }

    private String circle(List<Integer> cycle) {
        StringBuilder text = new StringBuilder("rank " + cycle.get(0));
        for (int i = 0; i < cycle.size(); i++) {
            int next = cycle.get((i + 1) % cycle.size());
            text.append(i == 0 ? "" : ", which")
                    .append(isOver() ? " waited in " : " waits in ")
                    .append(Objects.requireNonNull(open.get(cycle.get(i))).nameAndPlace())
                    .append(" for rank ")
                    .append(next);
        }
        return text.toString();
    }

    private long meetings(Collection<Integer> ranks) {
        return ranks.stream().map(open::get).map(CommOperation::name).distinct().count();
    }

    private int members(CommOperation operation) {
        return operation.domain() > 0 ? operation.peers().size() : positions.size();
    }

    private static boolean isMember(int rank, CommOperation operation) {
        return operation.domain() == 0 || operation.peers().contains(rank);
    }

    /**
     * Whether the communicator has ended some of the waits. If so, it has ended all of them, though not every rank knows it yet.
     */
    private boolean isOver() {
        return open.values().stream().anyMatch(operation -> !operation.isEntered());
    }

    private String inside(CommOperation operation) {
        boolean withPeers = operation.domain() == 0 && !operation.peers().isEmpty();
        return (isOver() ? "{was} in " : "{is} in ")
                + operation.nameAndPlace()
                + (withPeers ? " with " + ranks(operation.peers()) : "");
    }

    /** The text for one rank; {@link #number} adapts it to several. */
    private static String elsewhere(Position position, Optional<CommOperation> missed) {
        if (position instanceof Position.Silent silent) {
            return "did not answer" + (silent.why().isEmpty() ? "" : ": " + silent.why());
        } else if (position instanceof Position.Outside outside) {
            return missed.filter(operation -> !outside.operations().isEmpty())
                    .map(operation -> relation(outside.operations(), operation) + ": {it} " + outside.where())
                    .orElseGet(outside::where);
        } else if (position instanceof Position.There there) {
            String at = there.place().isEmpty() ? "{is} in no test" : "{is} at " + there.place();
            boolean waits = !there.waits().isEmpty();
            String doing = waits ? at + ", where " + String.join(", and ", there.waits()) : at;
            return missed.map(operation -> relation(there.operations(), operation) + ": {it} " + doing)
                    .orElse(waits ? doing : at + ", and in no operation of the communicator");
        }
        throw new IllegalArgumentException("unknown position " + position);
    }

    private static String relation(List<CommOperation> operations, CommOperation operation) {
        long entered = operations.stream()
                .filter(o -> o.isOfSameSeries(operation))
                .mapToLong(CommOperation::number)
                .max()
                .orElse(0);
        return entered < operation.number() ? "never entered it" : "{has} left it";
    }

    private static String number(String text, List<Integer> ranks) {
        boolean one = ranks.size() == 1;
        return text.replace("{is}", one ? "is" : "are")
                .replace("{was}", one ? "was" : "were")
                .replace("{its}", one ? "its" : "their")
                .replace("{waits}", one ? "waits" : "wait")
                .replace("{has}", one ? "has" : "have")
                .replace("{it}", one ? "it" : "they");
    }

    private boolean isSizeSame() {
        return open.values().stream().mapToLong(CommOperation::bytes).distinct().count() <= 1;
    }

    private String sizes() {
        return grouped(open, (rank, operation) -> operation.bytes() + " bytes").entrySet().stream()
                .map(e -> e.getKey() + " on " + ranks(e.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static <T> Map<String, List<Integer>> grouped(Map<Integer, T> ranks, BiFunction<Integer, T, String> text) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        ranks.forEach((rank, value) -> groups.computeIfAbsent(text.apply(rank, value), t -> new ArrayList<>())
                .add(rank));
        return groups;
    }

    private static String ranks(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
