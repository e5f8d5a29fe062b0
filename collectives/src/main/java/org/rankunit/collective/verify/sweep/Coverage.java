package org.rankunit.collective.verify.sweep;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * Which calls a sweep has verified, and which it has not.
 *
 * @param ranks numbers of ranks, in ascending order
 * @param covered values of each parameter that were in a verified call
 * @param missing values of each parameter that were in none, with the reason that the algorithm gives
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Coverage(
        List<Integer> ranks, Map<Parameter, List<String>> covered, Map<Parameter, Map<String, String>> missing) {

    public Coverage {
        ranks = List.copyOf(ranks);
        covered = Collections.unmodifiableMap(new EnumMap<>(covered));
        missing = Collections.unmodifiableMap(new EnumMap<>(missing));
    }

    /** Say for people what was covered, and what was not, one line for each. */
    public List<String> lines() {
        List<String> parts = new ArrayList<>(List.of(numbers() + (ranks.equals(List.of(1)) ? " rank" : " ranks")));
        covered.forEach((parameter, labels) -> {
            if (!labels.equals(List.of(Choice.NONE))) {
                parts.add((parameter + " ").stripLeading() + String.join(", ", labels));
            }
        });
        List<String> not = new ArrayList<>();
        missing.forEach((parameter, labels) -> {
            Map<String, List<String>> byReason = labels.entrySet().stream()
                    .collect(Collectors.groupingBy(
                            Map.Entry::getValue,
                            LinkedHashMap::new,
                            Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
            byReason.forEach(
                    (why, of) -> not.add((parameter + " ").stripLeading() + String.join(", ", of) + " (" + why + ")"));
        });
        if (!covered.getOrDefault(Parameter.COUNT, List.of()).equals(List.of(Choice.NONE))) {
            List<String> types = otherTypes();
            if (!types.isEmpty()) {
                not.add(Parameter.TYPE + " " + String.join(", ", types));
            }
            not.add("other numbers of elements");
        }
        not.add("all combinations of three values");
        return List.of(
                "covered: " + String.join("; ", parts) + "; each two values together, where the algorithm allows it",
                "not covered: " + String.join("; ", not));
    }

    /** Those that no call had, and that the algorithm was not asked about. */
    private List<String> otherTypes() {
        List<String> types = new ArrayList<>();
        for (DType type : DType.values()) {
            String name = type.toString();
            if (!covered.getOrDefault(Parameter.TYPE, List.of()).contains(name)
                    && !missing.getOrDefault(Parameter.TYPE, Map.of()).containsKey(name)) {
                types.add(name);
            }
        }
        return types;
    }

    /** As in "2-16, 33". */
    private String numbers() {
        List<String> ranges = new ArrayList<>();
        int begin = 0;
        for (int i = 1; i <= ranks.size(); i++) {
            if (i == ranks.size() || ranks.get(i) != ranks.get(i - 1) + 1) {
                int smallest = ranks.get(begin);
                int largest = ranks.get(i - 1);
                ranges.add(smallest == largest ? String.valueOf(smallest) : smallest + "-" + largest);
                begin = i;
            }
        }
        return String.join(", ", ranges);
    }

    /** Collects what is covered. */
    static final class Collector {

        private final List<Integer> ranks = new ArrayList<>();
        private final Map<Parameter, Map<String, String>> offered = new EnumMap<>(Parameter.class);
        private final Map<Parameter, List<String>> covered = new EnumMap<>(Parameter.class);

        /** Note a value that a call could have, and why the plainest call cannot have it; empty if it can. */
        void offer(Choice choice, String unsupportedReason) {
            offered.computeIfAbsent(choice.parameter(), p -> new LinkedHashMap<>())
                    .putIfAbsent(choice.label(), unsupportedReason);
        }

        void cover(SweptCall call) {
            int n = call.call().ranks();
            if (!ranks.contains(n)) {
                ranks.add(n);
            }
            for (Choice choice : call.choices()) {
                List<String> labels = covered.computeIfAbsent(choice.parameter(), p -> new ArrayList<>());
                if (!labels.contains(choice.label())) {
                    labels.add(choice.label());
                }
            }
        }

        /** Note that a call was not verified. */
        void leaveOut(SweptCall call, String why) {
            for (Choice choice : call.choices()) {
                offered.computeIfAbsent(choice.parameter(), p -> new LinkedHashMap<>())
                        .put(choice.label(), why);
            }
        }

        Coverage coverage() {
            Map<Parameter, Map<String, String>> missing = new EnumMap<>(Parameter.class);
            offered.forEach((parameter, labels) -> {
                List<String> found = covered.getOrDefault(parameter, List.of());
                Map<String, String> not = labels.entrySet().stream()
                        .filter(each -> !found.contains(each.getKey()))
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
                if (!not.isEmpty()) {
                    missing.put(parameter, not);
                }
            });
            return new Coverage(ranks, covered, missing);
        }
    }
}
