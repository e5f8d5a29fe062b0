package org.rankunit.engine.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rankunit.engine.control.CommOperation;

/** Says in one sentence what ranks that do not come to an end are waiting for, by matching their flight recorders. */
final class Standstill {

    /** Where one rank is. */
    sealed interface Position {

        /** It said where it is. */
        record There(String place, List<CommOperation> operations) implements Position {

            /** Whether it is in an operation of its communicator, or came out of one without success. */
            boolean isInOperation() {
                return operations.stream().anyMatch(CommOperation::isOpen);
            }
        }

        /**
         * It is outside of the test.
         *
         * @param where a clause whose words in braces follow the number of ranks: <code>{has} ended {its} tests</code>
         */
        record Outside(String where) implements Position {}

        /** It did not answer; {@code why} is what can be seen of its process, or empty. */
        record Silent(String why) implements Position {}
    }

    private final SortedMap<Integer, Position> positions;

    /** The operation each rank is in, or was released from; ranks in none are missing. */
    private final Map<Integer, CommOperation> open = new LinkedHashMap<>();

    private Standstill(SortedMap<Integer, Position> positions) {
        this.positions = positions;
        positions.forEach((rank, position) -> openOperation(position).ifPresent(o -> open.put(rank, o)));
    }

    /** Describe what holds the ranks, without a full stop. */
    static String sentence(SortedMap<Integer, Position> positions) {
        return new Standstill(positions).describe();
    }

    private static Optional<CommOperation> openOperation(Position position) {
        if (position instanceof Position.There there && !there.operations().isEmpty()) {
            // What clean-up methods tried after a release they tried in vain.
            return there.operations().stream().filter(CommOperation::isOpen).findFirst();
        }
        return Optional.empty();
    }

    private String describe() {
        long meetings =
                open.values().stream().map(CommOperation::name).distinct().count();
        List<String> clauses = new ArrayList<>();
        grouped(open, operation -> inside(operation))
                .forEach((text, ranks) -> clauses.add(ranks(ranks) + " " + number(text, ranks)));
        Optional<CommOperation> one = meetings == 1 ? open.values().stream().findFirst() : Optional.empty();
        Map<Integer, Position> others = new LinkedHashMap<>(positions);
        others.keySet().removeAll(open.keySet());
        grouped(others, position -> elsewhere(position, one))
                .forEach((text, ranks) -> clauses.add(ranks(ranks) + " " + number(text, ranks)));
        String sentence = String.join("; ", clauses);
        if (meetings > 1) {
            return "the ranks wait in different places: " + sentence;
        } else if (one.isPresent() && open.size() == positions.size() && positions.size() > 1) {
            return sentence + (isSizeSame() ? ", and it has not come to its end" : "; sizes differ: " + sizes());
        }
        return sentence;
    }

    private static String inside(CommOperation operation) {
        String with = operation.peers().isEmpty() ? "" : " with " + ranks(operation.peers());
        return (operation.state().equals(CommOperation.ENTERED) ? "{is} in " : "{was} in ")
                + operation.nameAndPlace()
                + with;
    }

    /** The text for one rank; {@link #number} makes it one for several. */
    private static String elsewhere(Position position, Optional<CommOperation> missed) {
        if (position instanceof Position.Silent silent) {
            return "did not answer" + (silent.why().isEmpty() ? "" : ": " + silent.why());
        } else if (position instanceof Position.Outside outside) {
            return outside.where();
        } else if (position instanceof Position.There there) {
            String at = there.place().isEmpty() ? "{is} in no test" : "{is} at " + there.place();
            return missed.map(operation -> relation(there, operation) + ": {it} " + at)
                    .orElse(at + ", and in no operation of the communicator");
        }
        throw new IllegalArgumentException("unknown position " + position);
    }

    private static String relation(Position.There there, CommOperation operation) {
        long entered = there.operations().stream()
                .filter(o -> o.kind().equals(operation.kind()))
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
        return grouped(open, operation -> operation.bytes() + " bytes").entrySet().stream()
                .map(e -> e.getKey() + " on " + ranks(e.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static <T> Map<String, List<Integer>> grouped(Map<Integer, T> ranks, Function<T, String> text) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        ranks.forEach((rank, value) -> groups.computeIfAbsent(text.apply(value), t -> new ArrayList<>())
                .add(rank));
        return groups;
    }

    private static String ranks(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
