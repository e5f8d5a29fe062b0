package org.rankunit.engine.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.engine.timeline.RankLog;
import org.rankunit.engine.timeline.TestRange;

/** Checks a test that has ended, from what its ranks have recorded. Stateless. */
final class SimulatorCheck {

    /** A test with more events is not checked. */
    private static final int MOST_EVENTS = 200_000;

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
        if (events > MOST_EVENTS) {
            return Result.notChecked("it has " + events + " events, more than " + MOST_EVENTS);
        }
        EventGraph graph = new EventGraph(ranges);
        Names names = new Names(graph);
        List<String> findings = new ArrayList<>(Races.among(graph, Accesses.of(graph, names)));
        findings.addAll(Signals.lost(graph, names));
        return Result.of(findings);
    }
}
