package org.rankunit.engine.check;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.engine.check.order.ProgramOrder;
import org.rankunit.engine.check.summary.RecordSummary;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.RankLog;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.TestRecord;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/** Checks a test that has ended, from what its ranks have recorded. Stateless. */
final class SimulatorCheck {

    /** What the check of an event takes, about. */
    private static final long BYTES_OF_EVENT = 1024;

    /** A run of a graph with fewer tasks is not summarized: looking at each of them costs nothing to speak of. */
    private static final int FEWEST_TASKS = 1000;

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
     * @param passed whether no rank failed; one that did may have had no time to take what was posted
     */
    static Result of(List<Path> logs, String uniqueId, boolean passed, Opener opener) {
        try {
            return check(logs, uniqueId, passed, opener);
        } catch (IOException | RuntimeException e) {
            // A test must not end without a result because of its record.
            return Result.notChecked("the record of its events cannot be evaluated: " + e);
        }
    }

    /** Most tests do without devices, and are to pay nothing for the check. */
    private static boolean isToBeChecked(LoggedEvent event) {
        return event instanceof LoggedEvent.Copy
                || event instanceof LoggedEvent.PointerAccess
                || event instanceof LoggedEvent.AtomicChange
                || event instanceof LoggedEvent.Argument
                || event instanceof LoggedEvent.Signal
                || event instanceof LoggedEvent.NotifyPost
                || event instanceof LoggedEvent.NotifyWait
                || event instanceof LoggedEvent.Truncated;
    }

    private static boolean isAnythingToBeChecked(List<TestRange> ranges) {
        for (TestRange range : ranges) {
            for (LoggedEvent event : range.events()) {
                if (isToBeChecked(event)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A test of which a step was left out fails in any case, and says whether the checks have noticed it. */
    private static List<String> leftOut(EventGraph graph, ProgramOrder order, Names names, boolean unnoticed) {
        List<String> found = new ArrayList<>();
        for (Node node : graph.nodes(LoggedEvent.Truncated.class)) {
            if (node.event instanceof LoggedEvent.Truncated left) {
                found.add("left out on purpose: " + left.step().word() + " " + left.number() + " of " + names.who(node)
                        + " (" + ConfigKey.SIM_MUTATE.key() + ")"
                        + (unnoticed ? "; " + whyUnnoticed(graph, order, left) : ""));
            }
        }
        return found;
    }

    private static String whyUnnoticed(EventGraph graph, ProgramOrder order, LoggedEvent.Truncated left) {
        return left.step() == LoggedEvent.Step.TENSOR
                        && graph.leftOut().stream().allMatch(pair -> order.isBefore(pair.before(), pair.after()))
                ? "other steps impose the same order"
                : "the checks of the simulator did not notice it";
    }

    /** Whether signals may guard what is not known: kernels may access it, or nothing is known that two share. */
    private static boolean isDataUnknown(EventGraph graph, KernelRuns kernels, Races races) {
        return !races.isAnythingShared(kernels)
                || Stream.concat(
                                graph.launches().stream().map(launch -> launch.arguments),
                                graph.tasks().values().stream().map(task -> task.arguments))
                        .anyMatch(arguments -> arguments.stream().noneMatch(Accesses::isTensor));
    }

    private static long mostEvents() {
        return Runtime.getRuntime().maxMemory() / 2 / BYTES_OF_EVENT;
    }

    private static Result tooLarge(long events, long mostEvents) {
        return Result.notChecked("it has " + events + " events, but the memory of this JVM is enough to check only "
                + mostEvents + "; give it more (-Xmx)");
    }

    /** Why the order of the threads that act in a test is not known. A test without threads of its own needs no such order. */
    private static Optional<String> unknownOrder(EventGraph graph) {
        for (Node node : graph.nodes(LoggedEvent.OrderIsUnknown.class)) {
            TestRange range = graph.range(node.rank);
            if (node.event instanceof LoggedEvent.OrderIsUnknown unknown && hasThreads(range)) {
                return Optional.of(range.text(unknown.text()));
            }
        }
        return Optional.empty();
    }

    private static boolean hasThreads(TestRange range) {
        return range.events().stream()
                .map(event -> range.actor(event.at().actor()))
                .anyMatch(actor -> actor != null && actor.kind() == LoggedEvent.ActorKind.THREAD);
    }

    private static Result check(List<Path> logs, String uniqueId, boolean passed, Opener opener) throws IOException {
        List<TestRecord> records = new ArrayList<>();
        for (int rank = 0; rank < logs.size(); rank++) {
            RankLog log;
            try {
                log = opener.open(logs.get(rank));
            } catch (NoSuchFileException e) {
                return Result.notChecked("rank " + rank + " has recorded nothing");
            }
            TestRecord record = log.take(uniqueId).orElse(TestRecord.none());
            if (log.dropped() > 0) {
                return Result.notChecked("the log of rank " + rank + " is full; give it more room ("
                        + ConfigKey.SIM_RECORD_SIZE.key() + "), or let the test do less");
            }
            records.add(record);
        }
        return check(records, passed, mostEvents());
    }

    /** What is found in a summary is looked for once more in all events, which have the words for it, if they are few enough. */
    static Result check(List<TestRecord> records, boolean passed, long mostEvents) {
        List<RecordSummary> summaries = records.stream()
                .map(record -> RecordSummary.of(record, FEWEST_TASKS, mostEvents / records.size()))
                .toList();
        Optional<String> whyNot = summaries.stream()
                .map(RecordSummary::whyNot)
                .filter(why -> !why.isEmpty())
                .findFirst();
        if (whyNot.isPresent()) {
            return Result.notChecked(whyNot.get());
        }
        long events = summaries.stream().mapToLong(RecordSummary::count).sum();
        if (events > mostEvents) {
            return tooLarge(events, mostEvents);
        }
        Result result = evaluate(summaries.stream().map(RecordSummary::range).toList(), passed);
        boolean isShortened = summaries.stream().anyMatch(RecordSummary::isShortened);
        long all = records.stream().mapToLong(TestRecord::count).sum();
        if (result.findings().isEmpty() || !isShortened || all > mostEvents) {
            return result;
        }
        try {
            Result whole = evaluate(records.stream().map(TestRecord::range).toList(), passed);
            return whole.notChecked().isEmpty() ? whole : result;
        } catch (IllegalStateException e) {
            return result; // what was found is true, whatever the order of all events would take
        }
    }

    /** Look for everything that can be found in these events. */
    static Result evaluate(List<TestRange> ranges, boolean passed) {
        if (!isAnythingToBeChecked(ranges)) {
            return Result.of(List.of());
        }
        EventGraph graph = EventGraph.ofProgram(ranges);
        Optional<String> unknownOrder = unknownOrder(graph);
        if (unknownOrder.isPresent()) {
            return Result.notChecked(unknownOrder.get());
        }
        Names names = new Names(graph);
        MemoryNames memory = new MemoryNames(graph, names.places());
        KernelRuns kernels = new KernelRuns(graph, names);
        List<Access> accesses = Accesses.of(graph, names, kernels);
        ProgramOrder order = ProgramOrder.of(graph);
        Races races = new Races(order, accesses);
        List<String> findings = new ArrayList<>(races.texts(memory));
        findings.addAll(Unwritten.among(graph, order, kernels, accesses, memory));
        findings.addAll(Undeclared.among(graph, kernels, accesses, memory));
        findings.addAll(Signals.lost(graph, order, names, memory));
        if (passed) {
            findings.addAll(Signals.leftOver(graph, order, names, memory));
        }
        if (graph.has(LoggedEvent.Signal.class) && (!findings.isEmpty() || isDataUnknown(graph, kernels, races))) {
            // They explain what is wrong, or show it where the data is not known that signals guard. Else they do no
            // harm.
            findings.addAll(Signals.overwritten(graph, order, names, memory));
            findings.addAll(StaleSignals.among(graph, order, accesses, names, memory));
        }
        findings.addAll(leftOut(graph, order, names, findings.isEmpty()));
        return Result.of(findings);
    }
}
