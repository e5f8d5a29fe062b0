package org.rankunit.engine.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.RankLog;
import org.rankunit.engine.timeline.TestRange;

/** Checks a test that has ended, from what its ranks have recorded. Stateless. */
final class SimulatorCheck {

    /** A test with more of them is not checked: time and memory grow with the square of some. */
    private static final int MOST_EVENTS = 200_000;

    private static final int MOST_TASKS = 5_000;
    private static final int MOST_ACCESSES = 20_000;

    private SimulatorCheck() {}

    /**
     * What a check has found.
     *
     * @param findings texts of one or more lines; empty if there is nothing to find fault with
     * @param notChecked why the test was not checked, or empty
     */
    record Result(List<String> findings, String notChecked) {

        static Result of(List<String> findings) {
            return new Result(List.copyOf(findings), "");
        }

        static Result notChecked(String why) {
            return new Result(List.of(), why);
        }
    }

    /** Opens the log of a rank. */
    @FunctionalInterface
    interface Opener {

        RankLog open(Path file) throws IOException;
    }

    /**
     * Check a test.
     *
     * @param logs the log of each rank, in their order
     * @param uniqueId the id with which the ranks have marked the test
     */
    static Result of(List<Path> logs, String uniqueId, Opener opener) {
        try {
            return check(logs, uniqueId, opener);
        } catch (IOException | RuntimeException e) {
            // A test must not end without a result because of its record.
            return Result.notChecked("the record of its events cannot be evaluated: " + e);
        }
    }

    private static Result check(List<Path> logs, String uniqueId, Opener opener) throws IOException {
        List<TestRange> ranges = new ArrayList<>();
        int events = 0;
        for (int rank = 0; rank < logs.size(); rank++) {
            if (!Files.exists(logs.get(rank))) {
                return Result.notChecked("rank " + rank + " has recorded nothing");
            }
            RankLog log = opener.open(logs.get(rank));
            Optional<TestRange> range = log.range(uniqueId);
            if (log.dropped() > 0) {
                return Result.notChecked("the log of rank " + rank + " is full");
            } else if (range.isEmpty()) {
                return Result.notChecked("rank " + rank + " has not begun the test");
            }
            events += range.get().events().size();
            ranges.add(range.get());
        }
        long tasks = ranges.stream()
                .flatMap(range -> range.events().stream())
                .filter(LoggedEvent.Task.class::isInstance)
                .count();
        if (events > MOST_EVENTS || tasks > MOST_TASKS) {
            return Result.notChecked("it has " + events + " events, of which at most " + MOST_EVENTS
                    + " can be checked, and " + tasks + " tasks, of which at most " + MOST_TASKS + " can be");
        }
        EventGraph graph = new EventGraph(ranges);
        Names names = new Names(graph);
        List<Access> accesses = Accesses.of(graph, names);
        if (accesses.size() > MOST_ACCESSES) {
            return Result.notChecked("it has " + accesses.size() + " accesses to memory, of which at most "
                    + MOST_ACCESSES + " can be checked");
        }
        List<String> findings = new ArrayList<>(Races.among(graph, accesses));
        findings.addAll(Signals.lost(graph, names));
        return Result.of(findings);
    }
}
