package org.rankunit.collective.verify.sweep;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;

/** The calls of an algorithm for one number of ranks. */
final class SweptCalls {

    /** Type, count and division. */
    private static final int FIRST = 3;

    private final CollectiveAlgorithm algorithm;
    private final int ranks;
    private final List<List<Choice>> values;
    private final List<SweptCall> chosen;

    /** Calls with the first values of rows: many rows begin in the same way, and to divide data among many ranks takes long. */
    private final Map<List<Choice>, CollectiveCall> begun = new HashMap<>();

    SweptCalls(CollectiveAlgorithm algorithm, int ranks, Selection selection) {
        this.algorithm = algorithm;
        this.ranks = ranks;
        this.values = new Choices(algorithm.collective(), ranks, selection).all();
        boolean some = values.stream().noneMatch(List::isEmpty);
        this.chosen = some ? choose() : List.of();
    }

    private List<SweptCall> choose() {
        int[] sizes = values.stream().mapToInt(List::size).toArray();
        return Covering.rows(sizes, row -> unsupportedReason(choices(row)).isEmpty(), ranks).stream()
                .map(row -> new SweptCall(call(choices(row)), choices(row)))
                .toList();
    }

    private List<Choice> choices(int[] row) {
        List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < row.length; i++) {
            choices.add(values.get(i).get(row[i]));
        }
        return choices;
    }

    private CollectiveCall call(List<Choice> choices) {
        CollectiveCall first = begun.computeIfAbsent(List.copyOf(choices.subList(0, FIRST)), this::begin);
        return applied(choices.subList(FIRST, choices.size()), first);
    }

    private CollectiveCall begin(List<Choice> first) {
        return applied(first, CollectiveCall.of(algorithm.collective(), ranks, DType.FLOAT32, 0));
    }

    private static CollectiveCall applied(List<Choice> choices, CollectiveCall plainest) {
        CollectiveCall call = plainest;
        for (Choice choice : choices) {
            call = choice.applied().apply(call);
        }
        return call;
    }

    private Optional<String> unsupportedReason(List<Choice> choices) {
        return algorithm.unsupportedReason(call(choices));
    }

    List<SweptCall> chosen() {
        return chosen;
    }

    /** Note all values, and why the first chosen call could not have them. */
    void offerTo(Coverage.Collector coverage) {
        if (chosen.isEmpty()) {
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            for (Choice choice : values.get(i)) {
                List<Choice> changed = new ArrayList<>(chosen.get(0).choices());
                changed.set(i, choice);
                coverage.offer(choice, unsupportedReason(changed).orElse("in no call"));
            }
        }
    }
}
